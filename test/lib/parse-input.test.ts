// Tests of inputs in which null stands for a field that is left out.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseInput } from '../../server/lib/parse-input.ts';

const schema = z.object({
  q: z.string(),
  limit: z.number().default(10),
  docId: z.string().optional(),
  forgetAfter: z.string().nullable().optional(),
  include: z.object({ chunks: z.boolean().default(false) }).optional(),
  items: z
    .array(z.union([z.string(), z.object({ content: z.string(), title: z.string().optional() })]))
    .optional(),
  metadata: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

describe('null in an input', () => {
  test.each([
    [
      { q: 'a', docId: null },
      { q: 'a', limit: 10 },
    ],
    [
      { q: 'a', limit: null },
      { q: 'a', limit: 10 },
    ],
    [
      { q: 'a', include: { chunks: null } },
      { q: 'a', limit: 10, include: { chunks: false } },
    ],
    [
      { q: 'a', items: ['b', { content: 'c', title: null }] },
      { q: 'a', limit: 10, items: ['b', { content: 'c' }] },
    ],
  ])('is the same as leaving an optional field out: %j', (input, output) => {
    expect(parseInput(schema, input).data).toEqual(output);
  });

  test('keeps the meaning that the schema gives it', () => {
    expect(parseInput(schema, { q: 'a', forgetAfter: null }).data).toMatchObject({ forgetAfter: null });
  });

  test('does not stand for a field that is needed, nor for an item of a list', () => {
    expect(parseInput(schema, { q: null }).success).toBe(false);
    expect(parseInput(schema, { q: 'a', items: [null] }).success).toBe(false);
    expect(parseInput(schema, null).success).toBe(false);
  });

  test('leaves the input as it was', () => {
    const input = Object.freeze({ q: 'a', docId: null });
    expect(parseInput(schema, input).success).toBe(true);
    expect(input).toEqual({ q: 'a', docId: null });
  });

  test('leaves other faults to be told', () => {
    const { error } = parseInput(schema, { q: 7, docId: null });
    expect(error?.issues.map(({ path }) => path)).toEqual([['q']]);
  });
});
