// Tests of the explanations of search results and of missing results.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Scope } from '../../../../server/core/scope.ts';
import { logit } from '../../../../server/domain/search/similarity/logistic.ts';
import { submission } from '../../../adapters/store/contract/world.ts';
import { type OpenSearch, openSearch } from '../open.ts';

const talk = [
  'Date: 7 May 2023',
  'Ann: Shall we row to the lighthouse?',
  'Ben: Yes, yesterday I mended the boat.',
  'Ann: Then bring the dog along.',
].join('\n');

let open: OpenSearch;
let built: string;
beforeAll(async () => {
  open = await openSearch();
  [, built = ''] = await open.add('coast', [
    { content: talk, customId: 'call', filepath: '/talks/call.txt', metadata: { kind: 'talk' } },
    { content: 'The lighthouse was built in 1822.', customId: 'built', metadata: { kind: 'note' } },
    { content: 'Tea is green.', customId: 'tea', metadata: { kind: 'note' } },
    { content: 'The LIGHTHOUSE was built in 1822.', customId: 'copy' },
  ]);
  await open.add('other', [{ content: 'A secret lighthouse.', customId: 'secret' }]);
  await open.remember('facts', ['Mara keeps the lighthouse.', 'Mara has a dog.']);
});
afterAll(() => open[Symbol.asyncDispose]());

const q = 'When did Ann row to the lighthouse?';
const hybrid = { searchMode: 'hybrid', window: 0 };
const searching = (tags: readonly string[] | null = ['coast']) => open.searching()(tags);
const explaining = (more: object = {}, text = q) =>
  searching().memories(text, { ...hybrid, include: { explain: true }, ...more });

/** Returns the parts of each result, all of which must be explained. */
const partsOf = async (more: object = {}) =>
  (await explaining(more)).results.map(({ chunk, similarity, explain }) => {
    if (explain === undefined) throw new Error('It is not explained.');
    return { chunk, similarity, explain };
  });
const close = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThan(0.002);
const sum = (values: readonly (number | undefined)[]) =>
  values.reduce<number>((all, one = 0) => all + one, 0);
const product = (values: readonly number[]) => values.reduce((all, one) => all * one, 1);

describe('the parts of a score', () => {
  test('add up to its evidence, and its similarity is the published one', async () => {
    const all = await partsOf();
    expect(all.length).toBeGreaterThan(3);
    for (const { explain, similarity } of all) {
      const { words, vector, priors } = explain;
      const meaning = (vector?.weight ?? 0) * (vector?.relevance ?? 0);
      close(
        explain.evidence,
        ((words?.strength ?? 0) * (words?.trust ?? 1) + meaning) *
          product(priors.map(({ factor }) => factor)),
      );
      close(explain.similarity, similarity);
    }
  });

  test('show the share of each word and the field of the word', async () => {
    for (const { explain } of await partsOf()) {
      const { words } = explain;
      if (words === null) continue;
      close(words.strength, sum(Object.values(words.fields)));
      close(words.strength, sum(words.terms.map(({ strength }) => strength)));
      close(1, sum(words.terms.map(({ share }) => share)));
      for (const { strength, fields } of words.terms) close(strength, sum(Object.values(fields)));
    }
  });

  test('name the field: body, speaker, words of neighbours, relative dates, the written date', async () => {
    const fieldsOf = async (text: string, part: string) => {
      const { results } = await explaining({}, text);
      return results.find(({ chunk }) => chunk?.includes(part))?.explain?.words?.fields ?? {};
    };
    const dog = await fieldsOf(q, 'bring the dog');
    expect(Object.keys(dog).sort()).toEqual(['neighbours', 'speaker']);
    expect(Object.keys(await fieldsOf('row to the lighthouse', 'Shall we row'))).toContain('body');
    expect(await fieldsOf('6 May 2023', 'mended')).toHaveProperty('relativeDates');
    expect(await fieldsOf('Sunday 7 May 2023', 'mended')).toHaveProperty('date');
  });

  test('name the priors that have an effect', async () => {
    const [asks] = (await partsOf()).filter(({ chunk }) => chunk?.includes('Shall we row'));
    expect(asks?.explain.priors.map(({ name, factor }) => [name, factor])).toEqual([
      ['named speaker', 1.22],
      ['question turn', 0.8],
      ['tells when', 0.93],
    ]);
  });

  test('contain words alone or meaning alone when the search is restricted to one of them', async () => {
    for (const { explain } of await partsOf({ searchMode: 'keyword' })) expect(explain.vector).toBeNull();
    for (const { explain } of await partsOf({ searchMode: 'semantic' })) {
      const { words, vector, priors, evidence } = explain;
      expect([words, vector?.weight]).toEqual([null, null]);
      const odds = logit(vector?.relevance ?? 0) + sum(priors.map(({ factor }) => Math.log(factor)));
      expect(Math.abs(evidence - odds)).toBeLessThan(0.05 * Math.max(1, Math.abs(odds)));
    }
  });

  test('name a lower weight of meaning for a long turn where turns have a weight of their own', async () => {
    const long = Array.from({ length: 40 }, (_, day) => `on day ${day} we saw seals`).join(', ');
    const chat = ['Date: 8 May 2023', 'Ann: The harbour was quiet.', `Ben: The harbour was loud, ${long}.`];
    await open.add('harbour', [{ content: [...chat, 'Ann: Well then.'].join('\n'), customId: 'harbour' }]);
    const { space } = open;
    const trusted = { ...space, calibration: { ...space.calibration, weight: 0.45, statedWeight: 0.25 } };
    const { results } = await open
      .searching({ space: trusted })(['harbour'])
      .memories('Was the harbour quiet or loud?', { ...hybrid, include: { explain: true } });
    const weightOf = (said: string) =>
      results.find(({ chunk }) => chunk?.includes(said))?.explain?.vector?.weight ?? 0;
    expect(weightOf('was quiet')).toBe(0.25);
    expect(weightOf('was loud')).toBeGreaterThan(0);
    expect(weightOf('was loud')).toBeLessThan(0.1);
  });

  test('are given for the chunks of the document search, with the number of neighbours shown around them', async () => {
    const { results } = await searching().documents(q, {
      include: { explain: true },
      onlyMatchingChunks: false,
    });
    const chunks = results.flatMap((result) => result.chunks);
    expect(chunks.filter(({ isRelevant }) => isRelevant).every(({ explain }) => explain !== undefined)).toBe(
      true,
    );
    expect(chunks.some(({ isRelevant, explain }) => !isRelevant && explain !== undefined)).toBe(false);
    const [best] = await partsOf({ window: 2 });
    expect(best?.explain.window).toEqual({ before: 0, after: 2 });
  });

  test('are absent without a request, and the stages are not recorded either', async () => {
    for (const answer of [await searching().memories(q, hybrid), await searching().documents(q)]) {
      expect(answer).not.toHaveProperty('explain');
      expect(JSON.stringify(answer)).not.toContain('"explain"');
    }
  });
});

describe('the summary of a search', () => {
  test('lists its queries and the number of candidates after each stage', async () => {
    const { explain } = await explaining({ threshold: 0.6 });
    expect(explain?.searches).toEqual([
      expect.objectContaining({
        of: 'chunks',
        query: q,
        by: 'both',
        among: 6,
        exact: true,
        asksWhen: true,
        speaker: 'Ann',
        embedder: 'builtin',
        terms: [
          { term: 'ann', holding: 2 },
          { term: 'row', holding: 1 },
          { term: 'lighthous', holding: 3 },
        ],
      }),
    ]);
    expect(explain?.steps.map(({ step }) => step)).toEqual([
      'read',
      'found',
      'threshold',
      'documentThreshold',
      'stated',
      'window',
      'limit',
    ]);
    const left = explain?.steps.map((step) => step.left) ?? [];
    expect(left).toEqual(left.toSorted((a, b) => b - a));
  });
});

describe('the reason why an id is missing', () => {
  const about = async (explainId: string, more: object = {}, tags: readonly string[] | null = ['coast']) => {
    const answer = await searching(tags).memories(q, { ...hybrid, ...more, include: { explainId } });
    return answer.explain?.about;
  };
  const stepsFor = async (id: string, more: object = {}) =>
    (await about(id, more))?.removedBy.map(({ step }) => step);

  test('is empty for a result that is shown, by any of its names', async () => {
    expect(await about('built')).toMatchObject({ kind: 'document', shown: true, removedBy: [] });
    expect(await about(built)).toMatchObject({ kind: 'document', shown: true });
    const { results } = await searching().memories(q, hybrid);
    expect(await about(results[0]?.id ?? '')).toMatchObject({ kind: 'chunk', shown: true });
  });

  test.each<[string, object, string[]]>([
    ['built', { filters: { AND: [{ key: 'kind', value: 'talk' }] } }, ['filters']],
    ['call', { filepath: '/else/' }, ['filepath']],
    ['built', { docId: 'call' }, ['docId']],
    ['call', { endUserId: 'ann' }, ['endUserId']],
    ['built', { docId: 'call', filters: { AND: [{ key: 'kind', value: 'talk' }] } }, ['docId', 'filters']],
    ['tea', { threshold: 0.6 }, ['threshold']],
    ['tea', { documentThreshold: 0.6 }, ['documentThreshold']],
    ['copy', {}, ['copy']],
    ['tea', { limit: 1 }, ['limit']],
    ['tea', { limit: 1, window: 2 }, ['limit']],
    ['nobody', {}, ['unknown']],
  ])('names the excluding options for %s with %o: %j', async (id, more, steps) => {
    expect(await stepsFor(id, more)).toEqual(steps);
  });

  test('names the key of a filter, and repeats no value', async () => {
    const found = await about('built', { filters: { AND: [{ key: 'kind', value: 'hidden value' }] } });
    expect(found?.removedBy).toEqual([{ step: 'filters', reason: 'It does not fit filters on kind.' }]);
  });

  test('names the mode of the search, a later version, or the forgetting', async () => {
    const facts = (explainId: string, more: object = {}) =>
      searching(['facts']).memories('Who keeps the lighthouse?', { include: { explainId }, ...more });
    const { results } = await searching(['facts']).memories('lighthouse');
    const id = results[0]?.id ?? '';
    expect((await facts(id)).explain?.about).toMatchObject({ kind: 'memory', shown: true });
    const elsewhere = await facts(id, { searchMode: 'documents' });
    expect(elsewhere.explain?.about?.removedBy).toMatchObject([{ step: 'searchMode' }]);
    await open.store.memories.forget(Scope.mint(null, null), [id], { reason: null, batch: null });
    expect((await facts(id)).explain?.about?.removedBy).toMatchObject([{ step: 'forgotten' }]);
    const again = await facts(id, { include: { explainId: id, forgottenMemories: true } });
    expect(again.explain?.about?.shown).toBe(true);
    const filtered = await facts(id, {
      include: { explainId: id, forgottenMemories: true },
      filters: { AND: [{ key: 'kind', value: 'talk' }] },
    });
    expect(filtered.explain?.about?.removedBy).toMatchObject([{ step: 'filters' }]);
  });

  test('contains the parts of the best score, when any chunk of it was scored', async () => {
    const found = await about('tea', { threshold: 0.6 });
    expect(found?.best?.similarity).toBeLessThan(0.6);
    expect((await about('nobody'))?.best).toBeNull();
  });

  test('is given in the document search too', async () => {
    const { explain } = await searching().documents(q, { docId: 'call', include: { explainId: 'built' } });
    expect(explain?.about).toMatchObject({ kind: 'document', shown: false, removedBy: [{ step: 'docId' }] });
    const weak = await searching().documents(q, { documentThreshold: 0.6, include: { explainId: 'tea' } });
    expect(weak.explain?.about?.removedBy).toMatchObject([{ step: 'documentThreshold' }]);
  });

  test('is the same for an id outside the tags as for an id that does not exist', async () => {
    const { results } = await searching(['other']).memories('secret lighthouse', hybrid);
    for (const id of ['secret', results[0]?.id ?? '']) {
      const told = await about(id);
      expect(told).toEqual({ ...(await about('nobody')), id });
      expect((await about(id, {}, null))?.shown).toBe(true);
    }
  });

  test('names the other result whose neighbours contain it', async () => {
    const { results } = await searching().memories('bring the dog along', hybrid);
    const dog = results.find(({ chunk }) => chunk?.includes('dog'))?.id ?? '';
    const found = await about(dog, { window: 2 });
    expect(found).toMatchObject({ kind: 'chunk', shown: false, removedBy: [{ step: 'window' }] });
  });

  test('is the step of a document that is still in work', async () => {
    const waiting = submission('A lighthouse that waits.', { customId: 'waiting', tags: ['queue'] });
    await open.store.documents.submit(Scope.mint(null, null), [waiting]);
    expect((await about('waiting', {}, ['queue']))?.removedBy).toEqual([
      { step: 'processing', reason: 'The document is still being processed (queued).' },
    ]);
  });

  test('is given though nothing matches at all', async () => {
    const { results, explain } = await searching().memories('zebra', {
      searchMode: 'keyword',
      include: { explainId: 'tea' },
    });
    expect(results).toEqual([]);
    expect(explain?.about?.removedBy).toMatchObject([{ step: 'found' }]);
  });
});
