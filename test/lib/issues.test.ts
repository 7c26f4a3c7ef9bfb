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
      'a: must be text, not a number; list[1].n: must be at most 3; list[2].n: is required',
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
    expect(said(schema, { a: { b: 'x', c: 1 } })).toBe('a.b: must be a number, not text');
  });

  test.each([
    [z.string(), null, 'must be text, not null'],
    [z.string(), true, 'must be text, not a truth value'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(2), 'x', 'must have at least 2 characters'],
    [z.string().max(1500), 'x'.repeat(1501), 'must have at most 1,500 characters'],
    [z.string().max(1), 'xx', 'must have at most 1 character'],
    [z.array(z.string()).min(1), [], 'must not be empty'],
    [z.array(z.string()).max(1), ['', ''], 'must have at most 1 item'],
    [z.array(z.string()), { a: 1 }, 'must be a list, not an object'],
    [z.record(z.string(), z.string()), [], 'must be an object, not a list'],
    [
      z.record(z.string().max(2), z.number()),
      { abc: 1 },
      'abc: is no valid key: it must have at most 2 characters',
    ],
    [z.number(), Number.NaN, 'must be a number, not NaN'],
    [z.number().gt(3), 3, 'must be more than 3'],
    [z.number().lt(3), 3, 'must be less than 3'],
    [z.number().min(1000), 3, 'must be at least 1,000'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.int(), 'x', 'must be a number, not text'],
    [z.boolean(), 'yes', 'must be true or false, not text'],
    [z.enum(['a', 'b']), 'c', 'must be one of "a", "b"'],
    [z.literal('yes'), 'no', 'must be "yes"'],
    [z.iso.date(), 'today', 'must be an ISO-8601 date, such as 2026-01-31'],
    [z.union([z.string().min(1), z.array(z.string())]), '', 'must not be empty'],
    [z.union([z.string(), z.array(z.string())]), 7, 'must be text or a list, not a number'],
    [z.union([z.string(), z.array(z.string())]), undefined, 'is required'],
    [z.union([z.literal('a'), z.literal('b')]), 'c', 'must be "a" or "b"'],
    [z.union([z.enum(['a', 'b']), z.array(z.string())]), 'c', 'must be one of "a", "b" or a list, not text'],
    [z.string().refine(() => false), 'x', 'is not valid; GET /v3/openapi describes what is'],
  ])('says in plain words what is wrong, and what to send: %#', (schema, input, sentence) => {
    expect(said(schema, input)).toBe(sentence);
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
