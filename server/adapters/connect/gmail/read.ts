// Reads a thread of Gmail: the parts of its messages, as Gmail has parsed them.
import { z } from 'zod';
import { MAIL_THREAD_TYPE, type MailMessage, writeMailThread } from '../../../core/mail/thread.ts';
import { sha256 } from '../../../lib/hash.ts';
import { createGoogleApi, type GoogleApi } from '../google/api.ts';
import type { Ask, ReadItem, Taken } from '../port.ts';
import { GMAIL_ADDRESS, isShown } from './gmail-api.ts';

interface MessagePart {
  readonly mimeType: string;
  readonly filename: string;
  readonly headers: readonly { name: string; value: string }[];
  readonly body: { readonly data?: string | undefined; readonly attachmentId?: string | undefined };
  readonly parts: readonly MessagePart[];
}

const messagePart: z.ZodType<MessagePart> = z.lazy(() =>
  z.object({
    mimeType: z.string().default(''),
    filename: z.string().default(''),
    headers: z.array(z.object({ name: z.string(), value: z.string().default('') })).default([]),
    body: z.object({ data: z.string().optional(), attachmentId: z.string().optional() }).default({}),
    parts: z.array(messagePart).default([]),
  }),
);

const fullThread = z.object({
  id: z.string(),
  messages: z
    .array(
      z.object({
        id: z.string(),
        labelIds: z.array(z.string()).default([]),
        internalDate: z.string().optional(),
        payload: messagePart,
      }),
    )
    .default([]),
});
type FullMessage = z.infer<typeof fullThread>['messages'][number];

const attachment = z.object({ data: z.string().default('') });

const mailHeader = ({ payload }: FullMessage, wanted: string): string =>
  payload.headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';

const allParts = (part: MessagePart): MessagePart[] => [part, ...part.parts.flatMap(allParts)];

/** Gmail sends UTF-8; what is none has the character set that its header declares. */
const decoded = (data: string, { headers }: MessagePart): string => {
  const bytes = Buffer.from(data, 'base64url');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
    const charset = /charset="?([\w.:-]{1,40})/i.exec(type)?.[1] ?? 'windows-1252';
    return decodedAs(charset, bytes);
  }
};

const decodedAs = (charset: string, bytes: Buffer): string => {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // A character set that nobody knows: the letters of English remain readable.
    return bytes.toString('latin1');
  }
};

/** A long body is an attachment without a name. */
const mailPartText = async (
  call: GoogleApi,
  message: string,
  part: MessagePart | undefined,
): Promise<string | null> => {
  if (part === undefined) return null;
  if (part.body.data !== undefined) return decoded(part.body.data, part);
  if (part.body.attachmentId === undefined) return null;
  const { data } = await call(
    `/messages/${encodeURIComponent(message)}/attachments/${encodeURIComponent(part.body.attachmentId)}`,
    {},
    { shape: attachment, what: 'a part of a message', template: '/messages/{id}/attachments/{part}' },
  );
  return decoded(data, part);
};

const readMailMessage = async (call: GoogleApi, message: FullMessage): Promise<MailMessage> => {
  const parts = allParts(message.payload);
  const partOf = (type: string) =>
    parts.find(({ mimeType, filename }) => mimeType === type && filename === '');
  const sentAt = Number(message.internalDate ?? Number.NaN);
  const text = await mailPartText(call, message.id, partOf('text/plain'));
  return {
    from: mailHeader(message, 'from'),
    sentAt: Number.isFinite(sentAt) ? sentAt : null,
    text,
    // The other form of the same words is needed only where the text says nothing.
    html: text?.trim() ? null : await mailPartText(call, message.id, partOf('text/html')),
    attachments: parts.map(({ filename }) => filename).filter((name) => name !== ''),
  };
};

const MOST_CHARACTERS = 1_000;
const cutFact = (text: string): string => text.slice(0, MOST_CHARACTERS).toWellFormed();

const threadFacts = (messages: readonly FullMessage[], read: readonly MailMessage[], id: string) => {
  const [first] = messages;
  const names = read.flatMap(({ attachments }) => attachments);
  const subject = first === undefined ? '' : mailHeader(first, 'subject');
  const last = read.at(-1)?.sentAt ?? null;
  return {
    subject,
    face: {
      title: subject === '' ? '(no subject)' : cutFact(subject),
      ...(last === null ? {} : { editedAt: last }),
      metadata: {
        ...{ type: 'gmail_thread', subject: cutFact(subject), threadId: id },
        from: cutFact(first === undefined ? '' : mailHeader(first, 'from')),
        to: cutFact(first === undefined ? '' : mailHeader(first, 'to')),
        ...(last === null ? {} : { date: new Date(last).toISOString() }),
        ...{ messageCount: messages.length, attachmentCount: names.length },
        ...(names.length === 0 ? {} : { attachmentNames: cutFact(names.join(', ')) }),
      },
    },
  };
};

export const readGmailThread = async (ask: Ask, item: ReadItem, signal: AbortSignal): Promise<Taken> => {
  const call = createGoogleApi(ask, GMAIL_ADDRESS, signal);
  const thread = await call(
    `/threads/${encodeURIComponent(item.id)}`,
    { format: 'full' },
    { shape: fullThread, what: 'a thread', template: '/threads/{id}' },
  );
  const messages = thread.messages.filter(isShown);
  if (messages.length === 0)
    return {
      content: 'nothing',
      skip: { code: 'hidden', message: 'All messages of this thread are in the trash, spam or drafts.' },
    };
  const mark = sha256(messages.map(({ id }) => id).join('\n'));
  const read: MailMessage[] = [];
  if (mark === item.takenMark) return { content: 'unchanged', mark };
  for (const message of messages) read.push(await readMailMessage(call, message));
  const { subject, face } = threadFacts(messages, read, item.id);
  return {
    ...{ content: 'text', mediaType: MAIL_THREAD_TYPE, mark, face },
    text: writeMailThread({ subject, messages: read }),
  };
};
