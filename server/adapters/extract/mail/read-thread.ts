// Reads a thread of mail: the words of each message with who sent it and when.
import { z } from 'zod';
import { type MailThread, mailSender } from '../../../core/mail/thread.ts';
import { unixLines } from '../../../lib/text/lines.ts';
import { failure } from '../failures.ts';
import { readFragment } from '../html/read.ts';
import type { ContentPart } from '../port.ts';
import { comparableMail, splitSignature, withoutQuotation } from './quoted-text.ts';

const mailThread = z.object({
  subject: z.string(),
  messages: z.array(
    z.object({
      from: z.string(),
      sentAt: z.number().nullable(),
      text: z.string().nullable(),
      html: z.string().nullable(),
      attachments: z.array(z.string()),
    }),
  ),
});

type Message = MailThread['messages'][number];

const parsedThread = (text: string): MailThread => {
  try {
    return mailThread.parse(JSON.parse(text));
  } catch (cause) {
    throw failure('corrupt_file', { what: 'This thread of mail is incomplete.', cause });
  }
};

/** The text part, if it says something; else the HTML. */
const mailWords = ({ text, html }: Message): string => {
  const plain = unixLines(text ?? '').trim();
  return plain !== '' || html === null || html.trim() === '' ? plain : readFragment(html).trim();
};

const attachmentLines = ({ attachments }: Message): string =>
  attachments.map((name) => `[attachment: ${name}]`).join('\n');

export interface ReadThread {
  readonly subject: string;
  readonly parts: readonly ContentPart[];
}

export const readThread = (text: string): ReadThread => {
  const { subject, messages } = parsedThread(text);
  const earlier: string[] = [];
  const signatures = new Set<string>();
  const parts: ContentPart[] = [];
  for (const message of messages) {
    const words = mailWords(message);
    const { body, signature } = splitSignature(withoutQuotation(words, earlier));
    earlier.push(comparableMail(words));
    const speaker = mailSender(message.from);
    const said = { speaker, ...(message.sentAt === null ? {} : { at: message.sentAt }) };
    const whole = [body, attachmentLines(message)].filter((piece) => piece !== '').join('\n');
    if (whole !== '') parts.push({ text: whole, ...said });
    // The same signature under each message of a person says nothing more.
    if (signature !== '' && !signatures.has(`${speaker} ${signature}`))
      parts.push({ text: signature, heading: 'Signature', ...said });
    signatures.add(`${speaker} ${signature}`);
  }
  return { subject, parts };
};
