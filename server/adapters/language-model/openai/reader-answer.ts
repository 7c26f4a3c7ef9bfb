// The schema that a model is asked to answer with, and the lenient reading of its answer.
import { z } from 'zod';
import { cutAtWord } from '../../../lib/text/cut.ts';
import type { WrittenOutline } from '../ports/memory-reader.ts';
import type { AnswerForm } from './chat.ts';

const KINDS = ['new', 'same', 'updates', 'extends', 'derives'] as const;

const MOST_MEMORIES = 200;
const LONGEST_MEMORY = 1_000;
const LONGEST_TITLE = 80;
const LONGEST_SUMMARY = 300;

/** Every member is required because strict schemas demand it. */
const MEMORIES = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['memory', 'kind', 'of', 'static', 'inferred', 'dates', 'forgetAfter', 'from'],
    properties: {
      memory: { type: 'string' },
      kind: { type: 'string', enum: [...KINDS] },
      of: { type: 'array', items: { type: 'integer' } },
      static: { type: 'boolean' },
      inferred: { type: 'boolean' },
      dates: { type: 'array', items: { type: 'string' } },
      forgetAfter: { type: ['string', 'null'] },
      from: { type: 'array', items: { type: 'integer' } },
    },
  },
} as const;

const readerForm = (outline: Readonly<Record<string, { type: 'string' }>>): AnswerForm => ({
  name: 'memories',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: [...Object.keys(outline), 'memories'],
    properties: { ...outline, memories: MEMORIES },
  },
});

export const READER_FORM = readerForm({});

/** For the beginning of a text. */
export const OUTLINING_FORM = readerForm({ title: { type: 'string' }, summary: { type: 'string' } });

/** Models without a schema write "3", 3 or [3], and omit empty members. */
export const lenientNumbers = z.preprocess((value) => {
  const list = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  return list
    .map((one) => (typeof one === 'string' ? Number(one.replace(/[^\d-]/g, '') || Number.NaN) : one))
    .filter(Number.isSafeInteger);
}, z.array(z.number()));

const lenientTexts = z.preprocess((value) => {
  const list = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  return list.filter((one) => typeof one === 'string');
}, z.array(z.string()));

const item = z.object({
  memory: z.string(),
  kind: z.enum(KINDS).catch('new'),
  of: lenientNumbers,
  static: z.boolean().catch(false),
  inferred: z.boolean().catch(false),
  dates: lenientTexts,
  forgetAfter: z.string().nullable().catch(null),
  from: lenientNumbers,
});

const line = z.preprocess(
  (value) => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().toWellFormed() : ''),
  z.string(),
);

const answer = z.object({ title: line, summary: line, memories: z.array(item) });

export type AnsweredMemory = z.output<typeof item>;

/** Finds the JSON in a text that may also hold thoughts, a code fence or a polite sentence. */
const extractJson = (text: string): string => {
  const answerText = text.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, '').trim();
  const fenced = /```(?:json)?\s*\n?(?<inner>[\s\S]*?)```/i.exec(answerText)?.groups?.inner ?? answerText;
  const start = fenced.search(/[{[]/);
  const end = Math.max(fenced.lastIndexOf('}'), fenced.lastIndexOf(']'));
  return start < 0 || end < start ? fenced : fenced.slice(start, end + 1);
};

/** Undefined for an answer without valid JSON. Used where the question is asked only once. */
export const parseJsonAnswer = (text: string): unknown => {
  try {
    return JSON.parse(extractJson(text));
  } catch {
    return undefined;
  }
};

/** Empty and overlong statements keep their number and are dropped. */
export const isUsableStatement = ({ memory }: AnsweredMemory): boolean =>
  memory !== '' && memory.length <= LONGEST_MEMORY;

/** The reason why an answer cannot be used. */
export interface UnreadableAnswer {
  readonly problem: string;
}

/** The answer of a model about one part of a text. */
export interface ReaderAnswer {
  readonly memories: readonly AnsweredMemory[];
  /** Null: it was not asked for, or is incomplete. */
  readonly outline: WrittenOutline | null;
}

export const readMemoryAnswer = (text: string): ReaderAnswer | UnreadableAnswer => {
  if (text.trim() === '') return { problem: 'the answer was empty' };
  let value: unknown;
  try {
    value = JSON.parse(extractJson(text));
  } catch (error) {
    return {
      problem: `the answer was no valid JSON (${error instanceof Error ? error.message.slice(0, 120) : 'unreadable'})`,
    };
  }
  const parsed = answer.safeParse(Array.isArray(value) ? { memories: value } : value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      problem: `the JSON was of another form (${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'wrong'})`,
    };
  }
  const { title, summary, memories } = parsed.data;
  return {
    memories: memories
      .slice(0, MOST_MEMORIES)
      .map((one) => ({ ...one, memory: one.memory.replace(/\s+/g, ' ').trim() })),
    outline:
      title === '' || summary === ''
        ? null
        : { title: cutAtWord(title, LONGEST_TITLE), summary: cutAtWord(summary, LONGEST_SUMMARY) },
  };
};
