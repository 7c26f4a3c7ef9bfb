// Reads one message from the many JSON shapes of chats: OpenAI, Anthropic, Gemini, Vercel, ShareGPT, LangChain, exports.
import { isObject, type UnknownObject } from '../../../lib/objects.ts';
import { removeControls } from '../../../lib/text/control-characters.ts';
import { parseDate } from '../../../lib/text/dates/parse-date.ts';
import type { Role, Turn } from './conversation.ts';
import { roleOf } from './roles.ts';
import { toolResultBlock } from './tool-blocks.ts';

const SPEAKERS = ['role', 'author', 'sender', 'from', 'speaker', 'user', 'participant'] as const;
const BODIES = ['content', 'parts', 'text', 'message', 'body', 'utterance'] as const;
const TIMES = [
  'createdAt',
  'created_at',
  'create_time',
  'timestamp',
  'time',
  'date',
  'datetime',
  'sent_at',
  'ts',
] as const;

/** Null: not a message at all. A message without any text has the text ''. */
export const readMessage = (value: unknown): Turn | null => {
  if (!isObject(value)) return null;
  const message = isObject(value.message) && speakerOf(value) === null ? value.message : value;
  const body = messageBody(message);
  const calls = toolCalls(message);
  if (body === undefined && calls === '') return null;
  const text = [contentText(body, 0).trim(), calls, asidesOf(message)]
    .filter((part) => part !== '')
    .join('\n');
  const at = messageTime(value);
  return { ...messageSpeaker(message), text, ...(at === undefined ? {} : { at }) };
};

/** True if the message names its speaker: an object with a text alone is not a message. */
export const hasSpeaker = (turn: Turn): boolean => turn.role !== null || turn.speaker !== undefined;

const messageSpeaker = (message: UnknownObject): { role: Role | null; speaker?: string } => {
  const said = speakerOf(message);
  const role = said === null ? null : roleOf(said);
  const name = [said, message.speaker, message.name].find(
    (text): text is string => typeof text === 'string' && text.trim() !== '' && roleOf(text) === null,
  );
  return name === undefined ? { role } : { role, speaker: removeControls(name).trim() };
};

const speakerOf = (message: UnknownObject): string | null => {
  for (const key of SPEAKERS) {
    const value = message[key];
    const said = isObject(value) ? (value.role ?? value.name ?? value.username) : value;
    if (typeof said === 'string' && said.trim() !== '') return said.trim();
  }
  return typeof message.type === 'string' && roleOf(message.type) !== null ? message.type : null;
};

const messageBody = (message: UnknownObject): unknown => {
  for (const key of BODIES) if (message[key] !== undefined) return message[key];
  if (message.from !== undefined && message.value !== undefined) return message.value;
  return isObject(message.data) ? message.data.content : undefined;
};

const DEEPEST = 6;
/** Parts with a model's reasoning, which are not part of its message. */
const UNSAID = new Set(['reasoning', 'thinking', 'redacted_thinking', 'step-start']);

const contentText = (content: unknown, depth: number): string => {
  if (depth > DEEPEST) return '';
  if (typeof content === 'string') return removeControls(content);
  if (typeof content === 'number' || typeof content === 'boolean') return String(content);
  if (Array.isArray(content)) return joinTexts(content.map((part) => contentText(part, depth + 1)));
  return isObject(content) ? partText(content, depth) : '';
};

const partText = (part: UnknownObject, depth: number): string => {
  const type = typeof part.type === 'string' ? part.type : '';
  if (UNSAID.has(type)) return '';
  if (type === 'image' || type === 'image_url' || type === 'input_image') return '[image]';
  if (type === 'file' || type === 'input_file')
    return typeof part.filename === 'string' ? `[file: ${part.filename}]` : '[file]';
  if (type === 'input_audio') return '[audio]';
  if (type === 'tool_use') return `[tool call: ${String(part.name)}]`;
  if (type === 'tool_result') return toolResultText(contentText(part.content ?? part.text, depth + 1));
  return contentText(part.text ?? part.value ?? part.content ?? part.parts ?? part.input_text, depth + 1);
};

const toolResultText = (text: string): string => (text.trim() === '' ? '' : toolResultBlock(text));

/** Parts of one text contain their own blanks; other parts are put on separate lines. */
const joinTexts = (parts: readonly string[]): string => {
  let joined = '';
  for (const part of parts) {
    const glued = joined === '' || part === '' || /\s$/.test(joined.slice(-1)) || /^\s/.test(part);
    joined += glued ? part : `\n${part}`;
  }
  return joined;
};

const toolCalls = (message: UnknownObject): string => {
  if (!Array.isArray(message.tool_calls)) return '';
  const names = message.tool_calls.map((call: unknown) => {
    if (!isObject(call)) return '?';
    return String((isObject(call.function) ? call.function.name : call.name) ?? '?');
  });
  return names.map((name) => `[tool call: ${name}]`).join(' ');
};

/** Further texts of a message in some exports: the caption of a picture, the subject of a mail. */
const ASIDE = /caption|alt_text|description|subject|title|summary|note|quote|comment/i;

const asidesOf = (message: UnknownObject): string => {
  const asides: string[] = [];
  for (const key in message) {
    const text = message[key];
    if (typeof text === 'string' && ASIDE.test(key) && /\S\s+\S/.test(text.slice(0, 400)))
      asides.push(`[${key}: ${text.trim()}]`);
  }
  return asides.join('\n');
};

export const messageTime = (message: UnknownObject): number | undefined => {
  for (const key of TIMES) {
    const at = readTime(message[key]);
    if (at !== undefined) return at;
  }
  return undefined;
};

const EARLIEST = Date.UTC(1970, 0, 2);
const LATEST = Date.UTC(2200, 0, 1);
/** A smaller number is a time in seconds. */
const SECONDS = 1e11;

const readTime = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^\d{9,13}(?:\.\d{1,9})?$/.test(value) ? Number(value) : value;
  const at =
    typeof number === 'number'
      ? epoch(number)
      : typeof number === 'string'
        ? parseWrittenTime(number)
        : undefined;
  return at !== undefined && at >= EARLIEST && at < LATEST ? at : undefined;
};

const epoch = (number: number): number => Math.round(Math.abs(number) < SECONDS ? number * 1_000 : number);

const parseWrittenTime = (text: string): number | undefined => {
  if (text.length > 80) return undefined;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) {
    const at = Date.parse(text);
    return Number.isNaN(at) ? undefined : at;
  }
  return parseDate(text) ?? undefined;
};
