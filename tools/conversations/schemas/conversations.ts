// Input of adding a conversation: messages, converted to the JSON text that adding a document takes.
import { z } from 'zod';
import { content, customId } from '../../documents/schemas/content.ts';
import { facts, similar } from '../../documents/schemas/facts.ts';
import type { AddInput } from '../../documents/schemas/inputs.ts';
import { metadata } from '../../shared/metadata.ts';
import { holdsText, isJsonObject } from '../../shared/primitives.ts';
import { joinTags, tagFields } from '../../shared/tags.ts';

const maxMessages = 100_000;

// Named, because code generators confuse two unnamed parts whose names differ in case alone.
const image = z
  .object({ url: z.string().min(1).describe('The address of the image, or a data: URI.') })
  .meta({ id: 'MessageImage', description: 'An image in a message.' });

const messageTimeField = (sentence: string) =>
  z
    .union([z.string().max(80).describe('As text'), z.number().describe('In seconds or milliseconds')])
    .optional()
    .describe(sentence);

// --- parts -------------------------------------------------------------------------------------------

const part = z
  .looseObject({
    type: z.string().min(1).max(60).describe('text or image_url. Parts of other types are stored unchanged.'),
    text: z.string().optional().describe('The text of a text part.'),
    image_url: image.optional().describe('The image of an image_url part.'),
    imageUrl: image.optional().describe('The same as image_url, in camel case.'),
  })
  .superRefine((value, context) => {
    const refuse = (path: string) =>
      context.addIssue({
        code: 'custom',
        path: [path],
        message: `is required in a part of the type ${value.type}`,
      });
    if (value.type === 'text' && value.text === undefined) refuse('text');
    if (value.type === 'image_url' && !value.image_url && !value.imageUrl) refuse('image_url');
  });
type Part = z.output<typeof part>;

const DATA = /^data:[^,;]{0,100}/i;

/** Removes the bytes of an image from a data: URI: they would be read as text. */
const shortUrl = (url: string): string => DATA.exec(url)?.[0] ?? url;

const canonicalPart = (value: Part): object => {
  if (value.type === 'text') return { type: 'text', text: value.text };
  const shown = value.image_url ?? value.imageUrl;
  return shown ? { type: 'image_url', image_url: { url: shortUrl(shown.url) } } : value;
};

// --- messages ----------------------------------------------------------------------------------------

const message = z.object({
  role: z.enum(['user', 'assistant', 'system', 'tool']).describe('The role of the speaker.'),
  content: z
    .union([z.string(), z.array(part).max(1000)], {
      error:
        'must be text, or a list of parts: { type: "text", text } or { type: "image_url", image_url: { url } }',
    })
    .nullable()
    .optional()
    .describe('The text, or a list of text and image parts; null if the message has only tool calls.'),
  name: z.string().min(1).max(255).optional().describe('The name of the speaker.'),
  tool_calls: z
    .array(z.unknown())
    .max(1000)
    .optional()
    .describe('The tool calls; only their names are stored.'),
  tool_call_id: z.string().max(255).optional().describe('The id of the tool call that this message answers.'),
  createdAt: messageTimeField('The time of the message.'),
  created_at: messageTimeField('The same as createdAt, under another name.'),
  timestamp: messageTimeField('The same as createdAt, under another name.'),
  date: messageTimeField('The same as createdAt, under another name.'),
});
type Message = z.output<typeof message>;

const toolCallName = (call: unknown): string => {
  if (!isJsonObject(call)) return '?';
  const name = (isJsonObject(call.function) ? call.function.name : call.name) ?? call.toolName;
  return typeof name === 'string' ? name : '?';
};

const canonicalMessage = (value: Message): object => {
  const createdAt = value.createdAt ?? value.created_at ?? value.timestamp ?? value.date;
  const calls = value.tool_calls?.map((call) => ({
    type: 'function',
    function: { name: toolCallName(call) },
  }));
  return {
    role: value.role,
    ...(value.name === undefined ? {} : { name: value.name }),
    content: Array.isArray(value.content) ? value.content.map(canonicalPart) : (value.content ?? ''),
    ...(calls && calls.length > 0 ? { tool_calls: calls } : {}),
    ...(value.tool_call_id === undefined ? {} : { tool_call_id: value.tool_call_id }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
};

const hasContent = ({ content: body, tool_calls: calls = [] }: Message): boolean => {
  if (calls.length > 0) return true;
  if (!Array.isArray(body)) return holdsText(body ?? '');
  return body.some(({ type, text = '' }) => type !== 'text' || holdsText(text));
};

/** Returns undefined after adding the issues to the context. */
const conversationText = (messages: readonly Message[], context: z.RefinementCtx): string | undefined => {
  const parsed = content.safeParse(JSON.stringify(messages.map(canonicalMessage)));
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues)
    context.addIssue({ code: 'custom', path: ['messages'], message: issue.message });
};

export interface ConversationInput {
  conversationId: string;
  /** The conversation as the input of adding a document. */
  document: AddInput;
}

export const conversationInput = z
  .object({
    conversationId: customId.describe(
      'The id of the conversation; it becomes the customId of the document. If the same id is sent again, only new messages are processed.',
    ),
    messages: z
      .array(message)
      .min(1)
      .max(maxMessages)
      .refine((all) => all.some(hasContent), { error: 'must contain at least one message with content' })
      .describe('All messages, or only the new ones, in order.'),
    ...tagFields,
    metadata: metadata.optional(),
    facts: facts.optional(),
  })
  .transform(joinTags)
  .transform(
    ({ conversationId, messages, tags, metadata: pairs, facts: given }, context): ConversationInput => {
      const text = conversationText(messages, context);
      if (text === undefined) return z.NEVER;
      const document = { content: text, customId: conversationId, tags, metadata: pairs, facts: given };
      return { conversationId, document };
    },
  );

export const conversationOutput = z.object({
  id: z.string().describe('The id of the document that holds the conversation.'),
  conversationId: z.string().describe('The conversationId from the request.'),
  status: z.enum(['queued', 'done']).describe('queued, or done if there is nothing new to process.'),
  similar: similar.optional(),
});
