// Tests of describing the errors in an input in words.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeIssues, pathText } from '../../server/lib/issues.ts';

const said = (schema: z.ZodType, input: unknown): string => {
  const parsed = schema.safeParse(input);
  return parsed.success ? 'nothing is wrong' : describeIssues(parsed.error.issues);
};

describe('the description of an invalid input', () => {
  test('names every field, however deep', () => {
    const schema = z.object({ a: z.string(), list: z.array(z.object({ n: z.number().max(3) })) });
    expect(said(schema, { a: 1, list: [{ n: 1 }, { n: 9 }, {}] })).toBe(
      'a: expected string, received number; list[1].n: Too big: expected number to be <=3; list[2].n: is required',
    );
  });

  test('names the whole input when no field is wrong', () => {
    expect(
      said(
        z.object({}).refine(() => false, { error: 'give ids or tags' }),
        {},
      ),
    ).toBe('give ids or tags');
  });

  test('keeps the message of a schema', () => {
    expect(
      said(z.object({ a: z.union([z.string(), z.number()], { error: 'must be text' }) }), { a: [] }),
    ).toBe('a: must be text');
  });

  test('describes the branch of a union that fits best', () => {
    const schema = z.object({ a: z.union([z.string(), z.object({ b: z.number(), c: z.number() })]) });
    expect(said(schema, { a: { b: 'x', c: 1 } })).toBe('a.b: expected number, received string');
  });

  test('names fields that a strict schema does not know', () => {
    expect(said(z.object({ a: z.strictObject({}) }), { a: { x: 1, y: 2 } })).toBe(
      'a.x: is not a known field; a.y: is not a known field',
    );
  });

  test('lists each error once, up to a limit', () => {
    const many = Array.from({ length: 1_500 }, () => 'x');
    const text = said(z.array(z.number()), many);
    expect(text.split('; ')).toHaveLength(1_001);
    expect(text).toMatch(/; and 500 more$/);
  });
});

test('a path is written as in a program', () => {
  expect(pathText(['documents', 3, 'metadata', 'a b'])).toBe('documents[3].metadata.a b');
});
