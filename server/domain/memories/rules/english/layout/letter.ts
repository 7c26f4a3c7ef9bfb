// The frame of a mail: header lines, salutation and signature say who writes to whom, and state nothing else.
import type { ReadSource, Utterance } from '../../../../../adapters/language-model/ports/memory-reader.ts';
import { toThirdPerson } from '../grammar/person.ts';

export interface Letter {
  readonly writer: string | null;
  readonly recipient: string | null;
  /** The text without the frame. */
  bodyOf(text: string): string;
}

const HEADER = /^(?<field>From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Attachments?): (?<value>.*)$/i;
const LEAST_HEADERS = 2;
const SALUTATION =
  /^(?:dear|hi|hello|hey|good (?:morning|afternoon|evening))(?: (?<name>\p{L}[^,!:.?]{0,20}(?:\. [^,!:.?]{1,30})?))?[,!:]$/iu;
const NAME = /^(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}$/u;
/** "Hi All": no name. */
const EVERYBODY = /^(?:all|team|folks|everyone|everybody|friends|colleagues|sir|madam|both|there)\b/i;
/** Words of farewell before a signature, or in its place. */
const FAREWELL =
  /^(?:(?:with|kind|kindest|warm|warmest|best|many|lots of) )*(?:regards|wishes|thanks|thank you|cheers|best|love|greetings|yours|sincerely|see you(?: soon)?|take care|hugs|x+|xoxo|merci|bonne journée|cordialement|bises|gracias|saludos|un abrazo|abraço|obrigad[oa]|ciao|grazie|saluti|danke|(?:viele|liebe|beste) grüße)(?![\p{L}\p{N}])/iu;
/** "Thanks, Eileen": the farewell and the name on one line. */
const SIGNED = /^(?<farewell>[^,]+), (?<name>\p{Lu}.*)$/u;
/** The quoted text of another mail. */
const QUOTED = /^\s*>|^On .{5,80} wrote:\s*$/;
/** The writer of a mail without a signature. */
const SENDER = 'the sender';
const MOST_LINES_TO_SIGNATURE = 2;
const MOST_LINES_OF_SIGNATURE = 5;
const MOST_WORDS_OF_FAREWELL = 3;

const nameIn = (words: string): string | null => {
  const name = words
    .replace(/\s*<[^>]*>/, '')
    .replace(/^"|"$/g, '')
    .trim();
  return NAME.test(name) && !EVERYBODY.test(name) ? name : null;
};

/** "Harriet Boon, People team" names Harriet Boon. */
const signatureIn = (line: string): string | null => {
  const { farewell = '', name = '' } = SIGNED.exec(line)?.groups ?? {};
  if (FAREWELL.test(farewell)) return nameIn(name.split(',')[0] ?? '');
  return FAREWELL.test(line) ? null : nameIn(line.split(',')[0] ?? '');
};

const headersOf = (lines: readonly string[]): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const { field, value } = HEADER.exec(line)?.groups ?? {};
    if (field === undefined || value === undefined) break;
    headers.set(field.toLowerCase(), value);
  }
  // "From: The clinic", "Dear Mr Quist,": one line is enough before a salutation.
  const isGreeted = SALUTATION.test(lines[headers.size] ?? '');
  return (headers.size >= LEAST_HEADERS || isGreeted) &&
    ['from', 'to', 'subject'].some((field) => headers.has(field))
    ? headers
    : new Map();
};

/** "Your check-up is on Monday" is said of the recipient; a chat says such things of nobody in particular. */
export const addressed = (sentence: string, { recipient, writer }: Letter): string =>
  recipient === null || !/^your? (?!for\b)/i.test(sentence) || sentence.endsWith('?')
    ? sentence
    : toThirdPerson(sentence, { name: writer ?? SENDER, listener: recipient });

const filledLines = (utterances: readonly Utterance[]): string[] =>
  utterances
    .flatMap(({ text }) => text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The passages that hold the header lines and the salutation. */
const HEAD_PASSAGES = 4;

/** The farewell and the lines of the signature behind it; the last line alone where nobody says farewell. */
const signed = (lines: readonly string[]): readonly string[] => {
  const end = lines.slice(-MOST_LINES_OF_SIGNATURE);
  const at = end.findLastIndex(
    (line) =>
      FAREWELL.test(line) &&
      (/,$/.test(line) || signatureIn(line) !== null || line.split(' ').length <= MOST_WORDS_OF_FAREWELL),
  );
  return at < 0 ? lines.slice(-1) : end.slice(at);
};

/** Null for any text that is no mail. */
export const letterIn = ({ conversation, around, fresh }: ReadSource): Letter | null => {
  if (conversation) return null;
  const inOrder = [...around, ...fresh].sort((a, b) => a.position - b.position);
  const begin = filledLines(inOrder.slice(0, HEAD_PASSAGES));
  const headers = headersOf(begin);
  const greeting = begin[headers.size] ?? '';
  const salutation = SALUTATION.exec(greeting);
  const greeted = salutation?.groups?.name;
  if (headers.size === 0 && salutation === null) return null;
  const filled = filledLines(inOrder);
  const end = filled.length > headers.size + MOST_LINES_TO_SIGNATURE ? signed(filled) : [];
  const signature = end.map(signatureIn).find((name) => name !== null) ?? null;
  // "Hello," alone begins other texts too.
  if (headers.size === 0 && greeted === undefined && signature === null) return null;
  const frame = new Set([
    ...filled.slice(0, headers.size),
    ...(salutation === null ? [] : [greeting]),
    ...(signature === null ? end.filter((line) => FAREWELL.test(line)) : end),
  ]);
  return {
    writer: nameIn(headers.get('from') ?? '') ?? signature,
    recipient: nameIn(headers.get('to') ?? '') ?? nameIn(greeted ?? ''),
    bodyOf: (text) =>
      text
        .split('\n')
        .filter((line) => !frame.has(line.trim()) && !QUOTED.test(line))
        .join('\n'),
  };
};
