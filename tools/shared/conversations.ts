// What adding a conversation accepts: messages, written out as the text that every other way of adding one would send.
import { z } from 'zod';
import { content, customId } from './content.ts';
import type { AddInput } from './documents.ts';
import { metadata } from './metadata.ts';
import { isObject } from './primitives.ts';
import { joinTags, tagFields } from './tags.ts';

export const maxMessages = 100_000;

const image = z.object({ url: z.string().min(1).describe('The address of the image, or a data: URI.') });

const moment = (sentence: string) =>
  z
    .union([z.string().max(80).describe('As text'), z.number().describe('In seconds or milliseconds')])
    .optional()
    .describe(sentence);

// --- parts -------------------------------------------------------------------------------------------

const part = z
  .looseObject({
    type: z.string().min(1).max(60).describe('text or image_url; others are kept as they are.'),
    text: z.string().optional().describe('The text of a text part.'),
    image_url: image.optional().describe('The image of an image_url part.'),
    imageUrl: image.optional().describe('The same in its other spelling.'),
  })
  .superRefine((given, context) => {
    const refuse = (path: string) =>
      context.addIssue({
        code: 'custom',
        path: [path],
        message: `is missing in a part of the type ${given.type}`,
      });
    if (given.type === 'text' && given.text === undefined) refuse('text');
    if (given.type === 'image_url' && !given.image_url && !given.imageUrl) refuse('image_url');
  });
type Part = z.output<typeof part>;

const DATA = /^data:[^,;]{0,100}/i;

/** That there was an image is kept; its bytes inside an address would only be read as text. */
const shortUrl = (url: string): string => DATA.exec(url)?.[0] ?? url;

const writtenPart = (given: Part): object => {
  if (given.type === 'text') return { type: 'text', text: given.text };
  const shown = given.image_url ?? given.imageUrl;
  return shown ? { type: 'image_url', image_url: { url: shortUrl(shown.url) } } : given;
};

// --- messages ----------------------------------------------------------------------------------------

const message = z.object({
  role: z.enum(['user', 'assistant', 'system', 'tool']).describe('Whose part the message plays.'),
  content: z
    .union([z.string(), z.array(part).max(1000)], {
      error:
        'must be text, or a list of parts: { type: "text", text } or { type: "image_url", image_url: { url } }',
    })
    .nullable()
    .optional()
    .describe('The text, or parts of text and images; null where there are only tool calls.'),
  name: z.string().min(1).max(255).optional().describe('Who speaks.'),
  tool_calls: z
    .array(z.unknown())
    .max(1000)
    .optional()
    .describe('Tools that were called; kept by their names.'),
  tool_call_id: z.string().max(255).optional().describe('The call that a tool answers.'),
  createdAt: moment('When it was said.'),
  created_at: moment('The same in another spelling.'),
  timestamp: moment('The same in another spelling.'),
  date: moment('The same in another spelling.'),
});
type Message = z.output<typeof message>;

const nameOfCall = (call: unknown): string => {
  if (!isObject(call)) return '?';
  const name = (isObject(call.function) ? call.function.name : call.name) ?? call.toolName;
  return typeof name === 'string' ? name : '?';
};

const written = (given: Message): object => {
  const said = given.createdAt ?? given.created_at ?? given.timestamp ?? given.date;
  const calls = given.tool_calls?.map((call) => ({ type: 'function', function: { name: nameOfCall(call) } }));
  return {
    role: given.role,
    ...(given.name === undefined ? {} : { name: given.name }),
    content: Array.isArray(given.content) ? given.content.map(writtenPart) : (given.content ?? ''),
    ...(calls && calls.length > 0 ? { tool_calls: calls } : {}),
    ...(given.tool_call_id === undefined ? {} : { tool_call_id: given.tool_call_id }),
    ...(said === undefined ? {} : { createdAt: said }),
  };
};

const saysSomething = ({ content: said, tool_calls: calls = [] }: Message): boolean => {
  if (calls.length > 0) return true;
  if (!Array.isArray(said)) return /\S/.test(said ?? '');
  return said.some(({ type, text = '' }) => type !== 'text' || /\S/.test(text));
};

/** Undefined: it was refused, and the context knows why. */
const textOf = (messages: readonly Message[], context: z.RefinementCtx): string | undefined => {
  const parsed = content.safeParse(JSON.stringify(messages.map(written)));
  if (parsed.success) return parsed.data;
  for (const { message: why } of parsed.error.issues)
    context.addIssue({ code: 'custom', path: ['messages'], message: why });
};

export interface ConversationInput {
  conversationId: string;
  /** The conversation as the document that it is. */
  document: AddInput;
}

export const conversationInput = z
  .object({
    conversationId: customId.describe(
      'Names the conversation: the customId of its document. Sent again, only what is new is processed.',
    ),
    messages: z
      .array(message)
      .min(1)
      .max(maxMessages)
      .refine((all) => all.some(saysSomething), { error: 'must say something' })
      .describe('All messages so far, or only the new ones, in order.'),
    ...tagFields,
    metadata: metadata.optional(),
  })
  .transform(joinTags)
  .transform(({ conversationId, messages, tags, metadata: pairs }, context): ConversationInput => {
    const text = textOf(messages, context);
    if (text === undefined) return z.NEVER;
    return { conversationId, document: { content: text, customId: conversationId, tags, metadata: pairs } };
  });

export const conversationOutput = z.object({
  id: z.string().describe('The id of the document that holds the conversation.'),
  conversationId: z.string().describe('As it was given.'),
  status: z.enum(['queued', 'done']).describe('queued; or done when nothing in it is new.'),
});
