// What a model may answer: its form as it is asked for, and what is taken from it however it comes.
import { z } from 'zod';
import type { AnswerForm } from './chat.ts';

const KINDS = ['new', 'same', 'updates', 'extends', 'derives'] as const;

const MOST_MEMORIES = 200;
const LONGEST_MEMORY = 1_000;

/** Asked for strictly; every member is required, as strict schemas want it. */
export const FORM: AnswerForm = {
  name: 'memories',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['memories'],
    properties: {
      memories: {
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
      },
    },
  },
};

/** Models without a schema write "3", 3 or [3], and leave out what is empty. */
export const numbers = z.preprocess((value) => {
  const list = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  return list
    .map((one) => (typeof one === 'string' ? Number(one.replace(/[^\d-]/g, '') || Number.NaN) : one))
    .filter(Number.isSafeInteger);
}, z.array(z.number()));

const texts = z.preprocess((value) => {
  const list = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  return list.filter((one) => typeof one === 'string');
}, z.array(z.string()));

const item = z.object({
  memory: z.string(),
  kind: z.enum(KINDS).catch('new'),
  of: numbers,
  static: z.boolean().catch(false),
  inferred: z.boolean().catch(false),
  dates: texts,
  forgetAfter: z.string().nullable().catch(null),
  from: numbers,
});

const answer = z.object({ memories: z.array(item) });

export type AnsweredMemory = z.output<typeof item>;

/** The JSON in a text that may hold more: thoughts, a fence, a polite sentence. */
function jsonIn(text: string): string {
  const said = text.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, '').trim();
  const fenced = /```(?:json)?\s*\n?(?<inner>[\s\S]*?)```/i.exec(said)?.groups?.inner ?? said;
  const start = fenced.search(/[{[]/);
  const end = Math.max(fenced.lastIndexOf('}'), fenced.lastIndexOf(']'));
  return start < 0 || end < start ? fenced : fenced.slice(start, end + 1);
}

/** For answers that are asked for once: what cannot be read is nothing. */
export function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(jsonIn(text));
  } catch {
    return undefined;
  }
}

/** A statement of some length; others keep their number and are not kept. */
export const isStatement = ({ memory }: AnsweredMemory): boolean =>
  memory !== '' && memory.length <= LONGEST_MEMORY;

/** Why an answer cannot be taken. */
export interface Unreadable {
  readonly problem: string;
}

export function readAnswer(text: string): AnsweredMemory[] | Unreadable {
  if (text.trim() === '') return { problem: 'the answer was empty' };
  let value: unknown;
  try {
    value = JSON.parse(jsonIn(text));
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
  return parsed.data.memories
    .slice(0, MOST_MEMORIES)
    .map((one) => ({ ...one, memory: one.memory.replace(/\s+/g, ' ').trim() }));
}
