// Searching: each method of the store finds the same results as a comparison one by one.
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../../server/lib/text/terms/analyse.ts';
import { vectorOf } from './reading.ts';
import {
  checkKeyword,
  checkScan,
  cosine,
  fill,
  type Known,
  known,
  numbersOf,
  QUERY,
  restrictions,
  scopes,
  settle,
  TAGS,
  TERMS,
  third,
} from './searched-world.ts';
import { everything, type OpenStore, only, openWorld } from './world.ts';

export const searchContract = (open: OpenStore): void => {
  describe('searching', () => {
    test('words, vectors and extent agree with an exhaustive comparison, in every scope under every restriction', async () => {
      await using world = await openWorld(open);
      await fill(world);
      await settle(world);
      for (const [scopeName, scope] of scopes)
        for (const [name, restriction] of restrictions) {
          const there = await known(world, scope, restriction);
          const extent = await world.store.search.extent(scope, restriction, 1000);
          expect(extent.chunks, `${scopeName}, ${name}`).toBe(there.length);
          await checkKeyword(world, scope, restriction);
          await checkScan(world, scope, restriction);
        }
      expect((await known(world, everything, {})).length).toBeGreaterThan(60);
    }, 60_000);

    test('no deleted or moved content is found while the deletions and moves are still pending', async () => {
      await using world = await openWorld(open);
      await fill(world);
      for (const [, scope] of scopes)
        for (const [, restriction] of restrictions) {
          const there = await known(world, scope, restriction);
          const allowed = new Set(there.map(({ n }) => n));
          await checkScan(world, scope, restriction);
          for (const aside of [false, true]) {
            const { matches } = await world.store.search.keyword(scope, restriction, TERMS, {
              aside,
              limit: 500,
            });
            expect(matches.filter(({ n }) => !allowed.has(n))).toEqual([]);
          }
        }
    }, 60_000);

    test('cosines are computed for candidates, and for vectors that the index has not received yet', async () => {
      await using world = await openWorld(open);
      await fill(world);
      await settle(world);
      const rows = await world.ingest.outbox(world.space, 10_000);
      const late = new Set(rows.slice(-20).map(({ n }) => n));
      await world.ingest.acknowledge(
        world.space,
        rows.slice(0, -20).map(({ seq }) => seq),
      );
      const everyN = numbersOf(await known(world, everything, {}));
      const candidates = everyN.filter((_, at) => at % 3 === 0);
      const asked = new Set([...candidates, ...late]);
      for (const [, scope] of scopes)
        for (const [, restriction] of restrictions) {
          const there = (await known(world, scope, restriction)).filter(({ n }) => asked.has(n));
          const request = { space: world.space, vector: QUERY, candidates: [...candidates, 77], limit: 500 };
          const found = await world.store.search.compare(scope, restriction, request);
          expect(numbersOf(found)).toEqual(numbersOf(there));
          const texts = new Map(there.map((chunk) => [chunk.n, chunk.text]));
          for (const { n, cosine: value } of found)
            expect(value).toBeCloseTo(cosine(QUERY, vectorOf(texts.get(n) ?? '')), 1);
        }
    }, 60_000);

    test('passages come with their documents, and only within the scope', async () => {
      await using world = await openWorld(open);
      await fill(world);
      const all = numbersOf(await known(world, everything, {}));
      for (const [, scope] of scopes)
        for (const [, restriction] of restrictions) {
          const there = await known(world, scope, restriction);
          const found = await world.store.search.passages(scope, restriction, [...all, 4711]);
          expect(numbersOf(found)).toEqual(numbersOf(there));
          const documents = new Map(there.map((chunk) => [chunk.n, chunk]));
          for (const { document, ...chunk } of found) {
            const { document: expected, terms: _terms, ...same } = documents.get(chunk.n) as Known;
            expect(chunk).toEqual(same);
            const { passageTitle, ...shown } = document;
            expect(expected).toMatchObject(shown);
            expect(passageTitle).toBe(shown.title);
          }
        }
    }, 60_000);

    test('a match carries every field that ranking reads', async () => {
      await using world = await openWorld(open);
      const id = await world.add('zebra zebra lion');
      await world.add('river');
      await world.index();
      const { n } = await world.get(id);
      const found = await world.store.search.keyword(only('a'), {}, ['zebra'], { aside: false, limit: 10 });
      expect(found).toMatchObject({
        matches: [{ document: n, position: 0, part: 0, flags: 0, bodyTokens: 3, messageTokens: 3 }],
        ...{ frequencies: [1], chunks: 2, averageBodyTokens: 2, averageMessageTokens: 2 },
      });
    });

    test('a word is found and counted by its forms as well', async () => {
      await using world = await openWorld(open);
      for (const text of ['went home', 'go home', 'gone', 'home']) await world.add(text);
      await world.index();
      const forms = [['went', 'gone'], []];
      for (const limit of [10, 3]) {
        const options = { aside: false, limit, forms };
        const found = await world.store.search.keyword(only('a'), {}, ['go', 'home'], options);
        expect(found.frequencies).toEqual([3, 3]);
        expect(found.matches).toHaveLength(Math.min(4, limit));
      }
    });

    test('the rare words select among too many matches', async () => {
      await using world = await openWorld(open);
      for (let at = 0; at < 40; at++) await world.add(at === 17 ? 'common rare' : `common ${at}`);
      await world.index();
      for (const aside of [false, true]) {
        const found = await world.store.search.keyword(only('a'), {}, ['common', 'rare'], {
          aside,
          limit: 5,
        });
        expect(found.matches).toHaveLength(5);
        const texts = await world.store.search.passages(everything, {}, numbersOf(found.matches));
        expect(texts.map(({ text }) => text)).toContain('common rare');
        expect(found.frequencies).toEqual([40, 1]);
      }
    });

    test('the best match of a much larger scope is inside each restriction, and is missing only if there is none', async () => {
      await using world = await openWorld(open);
      await fill(world);
      await settle(world);
      for (const [scopeName, scope] of scopes)
        for (const [name, restriction] of restrictions)
          for (const terms of [...TERMS.map((term) => [term]), TERMS]) {
            const there = await known(world, scope, restriction);
            const expected = there.filter((chunk) => terms.some((term) => chunk.terms.has(term)));
            const options = { aside: true, limit: 1 };
            const { matches } = await world.store.search.keyword(scope, restriction, terms, options);
            expect(matches, `${scopeName}, ${name}, ${terms}`).toHaveLength(Math.min(1, expected.length));
            for (const { n } of matches) expect(numbersOf(expected)).toContain(n);
          }
    }, 60_000);

    test('words are counted as well where no match is wanted', async () => {
      await using world = await openWorld(open);
      await fill(world);
      await settle(world);
      for (const [scopeName, scope] of scopes)
        for (const [name, restriction] of restrictions) {
          const there = await known(world, scope, restriction);
          const options = { aside: true, limit: 0 };
          const { matches, frequencies } = await world.store.search.keyword(
            scope,
            restriction,
            TERMS,
            options,
          );
          const counted = TERMS.map((term) => there.filter((chunk) => chunk.terms.has(term)).length);
          expect([matches, frequencies], `${scopeName}, ${name}`).toEqual([[], counted]);
        }
    }, 60_000);

    test('a query without words and an empty store cause no error', async () => {
      await using world = await openWorld(open);
      const { search } = world.store;
      for (const aside of [false, true]) {
        expect(await search.keyword(everything, {}, [], { aside, limit: 5 })).toMatchObject({ matches: [] });
        expect(await search.keyword(only('a'), {}, ['x'], { aside, limit: 5 })).toMatchObject({
          ...{ matches: [], frequencies: [0], chunks: 0, averageBodyTokens: 1, averageMessageTokens: 1 },
        });
        const request = { space: world.space, vector: QUERY, limit: 5, aside };
        expect(await search.scan(everything, {}, request)).toEqual([]);
      }
      expect(await search.extent(everything, {}, 10)).toMatchObject({ chunks: 0, documentFound: true });
      expect(await search.passages(everything, {}, [])).toEqual([]);
    });

    test('a hundred unusual query words are treated as plain words', async () => {
      await using world = await openWorld(open);
      await world.add('zebra near or and not');
      await world.index();
      const odd = [
        '"',
        '""',
        "'",
        'or',
        'and',
        'not',
        'near',
        '*',
        '^',
        ':',
        'tag',
        't1x',
        '(',
        ')',
        '{',
        '-',
        '\\',
        ' ',
      ];
      const terms = [...odd, ...Array.from({ length: 100 }, (_, at) => `w${at}`)];
      for (const scope of [everything, only('b')])
        for (const term of terms) {
          const found = await world.store.search.keyword(scope, {}, [term], { aside: false, limit: 5 });
          const hit = scope === everything && ['or', 'and', 'not', 'near'].includes(term);
          expect(found.matches, term).toHaveLength(hit ? analyseHits(term) : 0);
        }
      expect(
        (await world.store.search.keyword(everything, {}, [...terms, 'zebra'], { aside: true, limit: 5 }))
          .matches,
      ).toHaveLength(1);
    });

    test('the extent is counted only up to the requested limit', async () => {
      await using world = await openWorld(open);
      for (let at = 0; at < 30; at++) await world.add(`text ${at}`, { metadata: { third: 1 } });
      await world.index();
      const restriction = { filter: { AND: [third] } };
      const { chunks } = await world.store.search.extent(only('a'), restriction, 10);
      expect(chunks).toBe(11);
    });

    test('what a search has read is read again after each write', async () => {
      await using world = await openWorld(open);
      const [first, second] = [
        await world.add('one text', { customId: 'one', metadata: { third: 1 } }),
        await world.add('other text', { customId: 'two', metadata: { third: 2 } }),
      ];
      await world.index();
      const shown = async (restriction = {}) => {
        const scope = only('a');
        const found = await world.store.search.keyword(scope, restriction, ['text'], {
          aside: false,
          limit: 9,
        });
        const ns = found.matches.map(({ n }) => n);
        const passages = await world.store.search.passages(scope, restriction, ns);
        return passages.map(({ text, document }) => `${document.title ?? ''}: ${text}`).sort();
      };
      const filtered = { filter: { AND: [third] } };
      expect([await shown(), await shown(filtered)]).toEqual([
        [': one text', ': other text'],
        [': one text'],
      ]);
      await world.patch(first, { title: 'Named' });
      expect(await shown()).toEqual([': other text', 'Named: one text']);
      await world.patch(second, { metadata: { third: 1 } });
      expect(await shown(filtered)).toEqual([': other text', 'Named: one text']);
      await world.store.documents.remove(everything, { by: 'ids', ids: [first] });
      expect([await shown(), await shown(filtered)]).toEqual([[': other text'], [': other text']]);
    });

    test('a restriction to a document reports whether the document exists', async () => {
      await using world = await openWorld(open);
      const id = await world.add('text', { customId: 'c' });
      await world.add('foreign', { tags: ['b'], customId: 'f' });
      await world.index();
      const look = (document: string) => world.store.search.extent(only('a'), { document }, 100);
      for (const ref of [id, 'c']) expect(await look(ref)).toMatchObject({ documentFound: true, chunks: 1 });
      for (const ref of ['f', 'nowhere'])
        expect(await look(ref)).toMatchObject({ documentFound: false, chunks: 0 });
    });

    test('the containers of a scope are listed, or for everything, the excluded ones', async () => {
      await using world = await openWorld(open);
      for (const tags of TAGS) await world.add('text', { tags });
      await world.index();
      expect((await world.store.search.extent(everything, {}, 9)).containers).toBeNull();
      const tagged = await world.rows(
        "select container from container_tags inner join tags on tags.n = container_tags.tag where tags.tag = 'a'",
      );
      const { containers } = await world.store.search.extent(only('a'), {}, 9);
      expect(tagged).toHaveLength(2);
      expect(containers?.toSorted()).toEqual(tagged.map(({ container }) => Number(container)).toSorted());
      expect((await world.store.search.extent(only('nobody'), {}, 9)).containers).toEqual([]);
    });

    test('neighbours are ordered between two positions', async () => {
      await using world = await openWorld(open);
      const id = await world.add(Array.from({ length: 9 }, (_, at) => `text ${at}`).join('\n\n'));
      await world.index();
      const { n } = await world.get(id);
      const stretches = [
        { document: n, from: 3, to: 5 },
        { document: n, from: 8, to: 20 },
        { document: n, from: 0, to: 1, parts: { from: 1, to: 2 } },
      ];
      const near = await world.store.search.neighbours(only('a'), stretches);
      expect(near.map((chunks) => chunks.map(({ text }) => text))).toEqual([
        ['text 3', 'text 4', 'text 5'],
        ['text 8'],
        [],
      ]);
      expect(await world.store.search.neighbours(only('a'), [])).toEqual([]);
    });
  });
};

/** Stop words are not in the index: only what analysing leaves can be found. */
const analyseHits = (term: string): number => (analyse('zebra near or and not').includes(term) ? 1 : 0);
