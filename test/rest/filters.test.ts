// Filters over REST: the same tree narrows both lists and both searches.
import { beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { searchesOf } from './support/searches.ts';
import { type ListBody, type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();
const { namesIn } = searchesOf(api);

const containerTag = 'filters';

const stored: Record<string, Record<string, string | number | boolean>> = {
  red: { colour: 'Red', size: 5, sold: true, note: '100% wool' },
  green: { colour: 'green', size: 5.5, sold: false, note: '100_percent' },
  blue: { colour: 'BLUE', size: 12, note: 'ÉTÉ à la mer' },
  text: { colour: 'red', size: '5', note: 'it\'s "quoted" \\ here' },
  bare: {},
};
const everything = Object.keys(stored).sort();

beforeAll(async () => {
  for (const [name, metadata] of Object.entries(stored))
    await api.add({
      content: `The harbour sells a ${name} coat.`,
      containerTag,
      metadata: { name, ...metadata },
    });
});

const listed = async (filters: unknown): Promise<string[]> =>
  (await api.list({ containerTags: [containerTag], filters, limit: 100 })).memories
    .map(({ metadata }) => String(metadata?.name))
    .sort();

const queried = async (filters: unknown): Promise<string[]> => {
  const query = new URLSearchParams({ containerTag, filters: JSON.stringify(filters), limit: '100' });
  const { body } = await api.ask<ListBody>('GET', `/v3/documents?${query}`);
  return body.memories.map(({ metadata }) => String(metadata?.name)).sort();
};

/** Every place that takes filters in its body lets the same documents through. */
const letsInBody = async (filters: unknown, names: string[]): Promise<void> => {
  const through = {
    list: await listed(filters),
    documents: await namesIn('/v3/search', { containerTag, filters }),
    memories: await namesIn('/v4/search', { containerTag, filters }),
  };
  const wanted = names.toSorted();
  expect(through, JSON.stringify(filters)).toEqual({ list: wanted, documents: wanted, memories: wanted });
};

/** And so does the query. */
const lets = async (filters: unknown, names: string[]): Promise<void> => {
  await letsInBody(filters, names);
  expect(await queried(filters)).toEqual(names.toSorted());
};

const one = (condition: object, names: string[]) => lets({ AND: [condition] }, names);
const but = (...names: string[]) => everything.filter((name) => !names.includes(name));

const places = ['/v3/documents/list', '/v3/search', '/v4/search'];

const refusal = async (filters: unknown): Promise<string> => {
  const answers = await Promise.all(
    places.map((path) => api.ask<Refusal>('POST', path, { q: 'harbour', filters })),
  );
  for (const answer of answers)
    expect([answer.status, answer.body.error]).toEqual([400, answers[0]?.body.error]);
  return answers[0]?.body.error ?? '';
};

describe('a condition', () => {
  verifies(
    'filters:metadata:equal',
    'a condition compares the stored value exactly, also numbers and booleans by their text',
    async () => {
      await one({ key: 'colour', value: 'red' }, ['text']);
      await one({ key: 'colour', value: 're' }, []);
      await one({ key: 'Colour', value: 'red' }, []);
      await one({ key: 'sold', value: 'true' }, ['red']);
      await one({ key: 'size', value: '12' }, ['blue']);
      await one({ key: 'note', value: 'it\'s "quoted" \\ here' }, ['text']);
      await one({ key: "x' or '1'='1", value: 'x' }, []);
    },
  );

  verifies(
    'filters:numeric:by-value',
    'a condition compares numbers by value, however they are written',
    async () => {
      for (const value of ['5', '5.0', ' 5 ', '0.5e1']) {
        await one({ key: 'size', value, filterType: 'numeric' }, ['red']);
      }
      await one({ key: 'size', value: '5.0' }, ['red']);
      await one({ key: 'size', value: '5.50' }, ['green']);
    },
  );

  verifies('filters:numeric:operators', 'a condition compares numbers with =, >, <, >= and <=', async () => {
    const wanted = {
      '=': ['green'],
      '>': ['blue'],
      '<': ['red'],
      '>=': ['blue', 'green'],
      '<=': ['green', 'red'],
    };
    for (const [numericOperator, names] of Object.entries(wanted))
      await one({ key: 'size', value: '5.5', filterType: 'numeric', numericOperator }, names);
    await one({ key: 'size', value: '12', numericOperator: '>' }, ['blue']);
  });

  verifies(
    'filters:contains:substring',
    'a condition finds a part of a value, in which % and _ stand for themselves',
    async () => {
      const contains = (value: string, names: string[]) =>
        one({ key: 'note', value, filterType: 'string_contains' }, names);
      await contains('100', ['green', 'red']);
      await contains('100%', ['red']);
      await contains('0_p', ['green']);
      await contains('%', ['red']);
      await contains('_', ['green']);
      await contains('\\', ['text']);
      await contains('"quoted"', ['text']);
      await contains('WOOL', []);
    },
  );

  verifies(
    'filters:contains:ignore-case',
    'a condition is blind to case when asked, beyond ASCII too',
    async () => {
      const blind = { ignoreCase: true };
      await one({ key: 'note', value: 'été À LA', filterType: 'string_contains', ...blind }, ['blue']);
      await one({ key: 'note', value: 'été', filterType: 'string_contains' }, []);
      await one({ key: 'colour', value: 'RED', ...blind }, ['red', 'text']);
      await one({ key: 'colour', value: 'blue', ...blind }, ['blue']);
    },
  );

  verifies(
    ['filters:negate:any-type', 'filters:negate:missing-key'],
    'a condition is turned round by negate, and then matches what lacks the key',
    async () => {
      await one({ key: 'colour', value: 'red', negate: true }, but('text'));
      await one({ key: 'colour', value: 'red', negate: true, ignoreCase: true }, but('text', 'red'));
      await one(
        { key: 'note', value: '100', filterType: 'string_contains', negate: true },
        but('red', 'green'),
      );
      const more = { key: 'size', value: '5.5', filterType: 'numeric', negate: true };
      await one({ ...more, numericOperator: '>' }, but('blue'));
      await one({ ...more, numericOperator: '<=' }, but('red', 'green'));
      await one(more, but('green'));
      await one({ key: 'no such key', value: 'x', negate: true }, everything);
      await one({ key: 'colour', value: 'green', filterType: 'array_contains', negate: true }, but('green'));
    },
  );

  verifies(
    'filters:text:booleans',
    'a condition takes negate and ignoreCase as the words true and false',
    async () => {
      await one({ key: 'colour', value: 'RED', negate: 'false', ignoreCase: 'true' }, ['red', 'text']);
      await one({ key: 'colour', value: 'RED', negate: 'true', ignoreCase: 'true' }, but('red', 'text'));
      await one({ key: 'colour', value: 'RED', negate: 'true', ignoreCase: 'false' }, everything);
    },
  );
});

describe('a tree', () => {
  const red = { key: 'colour', value: 'red', ignoreCase: true };
  const sold = { key: 'sold', value: 'true' };
  const large = { key: 'size', value: '10', filterType: 'numeric', numericOperator: '>' };

  verifies('filters:tree:and-or', 'a tree of AND and OR groups is followed as deep as it goes', async () => {
    await lets({ AND: [red, sold] }, ['red']);
    await lets({ OR: [red, large] }, ['blue', 'red', 'text']);
    await lets({ AND: [{ OR: [red, large] }, { ...sold, negate: true }] }, ['blue', 'text']);
    await lets({ OR: [{ AND: [red, { AND: [sold] }] }, { AND: [large, { OR: [sold, large] }] }] }, [
      'blue',
      'red',
    ]);
  });

  verifies('filters:tree:json-text', 'a tree may be JSON text', async () => {
    const text = JSON.stringify({ OR: [red, large] });
    expect(await listed(text)).toEqual(['blue', 'red', 'text']);
    for (const route of ['/v3/search', '/v4/search'] as const)
      expect(await namesIn(route, { containerTag, filters: text })).toEqual(['blue', 'red', 'text']);
    expect(await refusal('{"OR":')).toContain('or the same as JSON text');
  });

  verifies('filters:tree:root', 'a tree has exactly one of AND and OR at its root', async () => {
    for (const wrong of [red, { AND: [red], OR: [sold] }, {}])
      expect(await refusal(wrong)).toBe('Invalid request: filters: must have exactly one of AND or OR');
    for (const wrong of [[red], 7, 'red'])
      expect(await refusal(wrong)).toContain('must be an object with AND or OR');
    expect(await refusal({ AND: [] })).toContain('filters.AND: must be a list of at least one condition');
  });

  test('a condition that is not valid is answered with what would be', async () => {
    const wrong = (more: object) => refusal({ AND: [{ key: 'colour', value: 'red', ...more }] });
    expect(await wrong({ value: 5 })).toContain('filters.AND[0].value: must be text, not a number');
    expect(await wrong({ filterType: 'between' })).toContain(
      'filters.AND[0].filterType: must be one of "metadata", "numeric", "array_contains", "string_contains"',
    );
    expect(await wrong({ key: '' })).toContain('filters.AND[0].key: must not be empty');
  });

  verifies(
    'filters:contains:limits',
    'a tree holds up to 20 conditions that look into texts, each for up to 256 characters',
    async () => {
      const contains = (value: string) => ({ key: 'note', value, filterType: 'string_contains' });
      const many = (count: number) => Array.from({ length: count }, (_, n) => contains(`${n}% none`));
      await letsInBody({ OR: [...many(19), contains('wool')] }, ['red']);
      await letsInBody({ OR: [...many(19), contains('wool'), red] }, ['red', 'text']);
      expect(await refusal({ OR: [...many(20), { AND: [contains('wool')] }] })).toContain(
        'filters: must have at most 20 conditions with filterType string_contains',
      );
      await letsInBody({ OR: [contains('x'.repeat(256)), red] }, ['red', 'text']);
      expect(await refusal({ AND: [contains('x'.repeat(257))] })).toContain(
        'filters.AND[0].value: must be at most 256 characters when filterType is string_contains',
      );
    },
  );

  verifies('filters:tree:limits', 'a tree holds up to 200 conditions, nested up to 8 deep', async () => {
    const many = (count: number) => ({
      OR: Array.from({ length: count }, (_, n) => ({ ...red, value: `${n}` })),
    });
    await letsInBody({ OR: [...many(199).OR, red] }, ['red', 'text']);
    expect(await refusal(many(201))).toContain('must have at most 200 conditions');
    const nested = (levels: number): object => (levels === 0 ? red : { AND: [nested(levels - 1)] });
    await lets(nested(8), ['red', 'text']);
    expect(await refusal(nested(9))).toContain('must be nested at most 8 levels deep');
  });
});
