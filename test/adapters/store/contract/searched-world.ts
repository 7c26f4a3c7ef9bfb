// A store to be searched: documents under several tags, the scopes and restrictions of searches, and what a comparison one
// by one finds in them.
import { expect } from 'vitest';
import type { ChunkRecord, DocumentRecord } from '../../../../server/adapters/store/ports/documents.ts';
import type { Condition, Restriction } from '../../../../server/adapters/store/ports/filters.ts';
import { Scope } from '../../../../server/core/scope.ts';
import { analyse } from '../../../../server/lib/text/terms/analyse.ts';
import { chanceOf } from './chance.ts';
import { vectorOf } from './reading.ts';
import { everything, only, type World } from './world.ts';

const WORDS = ['zebra', 'lion', 'river', 'stone', 'Ärger', '日本語', 'हिन्दी', 'naïve', 'c3po', 'ключ'];
export const TERMS = WORDS.flatMap((word) => analyse(word));

export const TAGS = [['a'], ['b'], ['a', 'b'], ['c']];

/** Documents under several tags, with paths and metadata; some deleted, some moved, not all of it settled. */
export const fill = async (world: World): Promise<void> => {
  const chance = chanceOf(7);
  const ids: string[] = [];
  for (let at = 0; at < 60; at++) {
    const paragraphs = Array.from({ length: 1 + chance.below(3) }, (_, part) =>
      [`${at}x${part}`, ...Array.from({ length: 1 + chance.below(3) }, () => chance.pick(WORDS))].join(' '),
    );
    const tags = TAGS[at % 4] ?? ['a'];
    const metadata = { third: at % 3, name: `n${at % 5}`, serial: at };
    const id = await world.add(paragraphs.join('\n\n'), { tags, metadata, filepath: `/f${at % 2}/${at}` });
    ids.push(id);
  }
  await world.index();
  for (let at = 0; at < 60; at += 7)
    await world.store.documents.remove(everything, { by: 'ref', ref: ids[at] ?? '' });
  for (let at = 1; at < 60; at += 9)
    await world.store.documents.update(everything, ids[at] ?? '', { tags: TAGS[(at + 1) % 4] ?? ['a'] });
};

export const settle = async (world: World): Promise<void> => {
  await world.index();
  while (await world.ingest.purge(100));
};

export const third: Condition = {
  ...{ key: 'third', value: '1', filterType: 'metadata', numericOperator: '=' },
  ...{ negate: false, ignoreCase: false },
};

export const scopes: [string, Scope][] = [
  ['everything', everything],
  ['one tag', only('a')],
  ['two tags', only('a', 'c')],
  ['one tag of more that are held', Scope.mint(['b'], ['a', 'b'])],
  ['nothing', only('nobody')],
  ['no tag', only()],
];

export const restrictions: [string, Restriction][] = [
  ['no restriction', {}],
  ['a filter', { filter: { AND: [third] } }],
  ['a negated filter', { filter: { OR: [{ ...third, negate: true }] } }],
  ['a path', { filepath: '/f1/' }],
  ['all tags', { allTags: ['a', 'b'] }],
  ['several at once', { filter: { AND: [third] }, filepath: '/f1/', allTags: ['a'] }],
];

export interface Known extends ChunkRecord {
  document: DocumentRecord;
  terms: Set<string>;
}

/** The stored content, read document by document. */
export const known = async (world: World, scope: Scope, restriction: Restriction): Promise<Known[]> => {
  const all: Known[] = [];
  for (const document of await world.list({ ...restriction, content: false }, scope))
    for (const chunk of await world.store.documents.chunks(scope, document.n))
      all.push({ ...chunk, document, terms: new Set(analyse(chunk.text)) });
  return all;
};

export const numbersOf = (list: readonly { n: number }[]): number[] =>
  list.map(({ n }) => n).sort((a, b) => a - b);

export const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, x, at) => sum + x * (b[at] ?? 0), 0);

export const QUERY = vectorOf('a question');

export const checkKeyword = async (world: World, scope: Scope, restriction: Restriction): Promise<void> => {
  const there = await known(world, scope, restriction);
  const counted = await known(world, scope, {});
  const held = (term: string) => there.filter((chunk) => chunk.terms.has(term));
  for (const terms of [...TERMS.map((term) => [term]), TERMS.slice(0, 3), TERMS, ['nowhere']]) {
    const expected = there.filter((chunk) => terms.some((term) => chunk.terms.has(term)));
    for (const aside of [false, true]) {
      const found = await world.store.search.keyword(scope, restriction, terms, { aside, limit: 500 });
      expect(numbersOf(found.matches)).toEqual(numbersOf(expected));
      expect(found.frequencies).toEqual(terms.map((term) => held(term).length));
      expect(found.chunks).toBe(counted.length);
    }
  }
};

export const checkScan = async (world: World, scope: Scope, restriction: Restriction): Promise<void> => {
  const there = await known(world, scope, restriction);
  const exact = new Map(there.map((chunk) => [chunk.n, cosine(QUERY, vectorOf(chunk.text))]));
  const request = { space: world.space, vector: QUERY, limit: 500 };
  for (const aside of [false, true]) {
    const all = await world.store.search.scan(scope, restriction, { ...request, aside });
    expect(numbersOf(all)).toEqual(numbersOf(there));
    for (const { n, cosine: found } of all) expect(found).toBeCloseTo(exact.get(n) ?? 9, 1);
    expect(all.map((match) => match.cosine)).toEqual(all.map((match) => match.cosine).sort((a, b) => b - a));
    const best = await world.store.search.scan(scope, restriction, { ...request, aside, limit: 5 });
    expect(best).toEqual(all.slice(0, 5));
  }
};
