// Tests of the builtin embedder.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { builtinEmbedder, createBuiltinEmbedder } from '../../../server/adapters/embed/builtin.ts';
import { cosine, embedderContract, embedOne, passage } from './contract.ts';

embedderContract(builtinEmbedder, async () => ({ settings: {}, close: async () => {} }));

describe('the builtin embedder', () => {
  it('names its space, uses both neighbours, and is free for repeated requests', () => {
    const { space, context, keepExact } = createBuiltinEmbedder();
    expect(space).toEqual({ embedder: 'builtin', model: 'words-and-meaning-1', dimensions: 384 });
    expect(context).toBe('both');
    expect(keepExact).toBe(false);
  });

  it.each([
    ['words-and-meaning-1', '350b56339de5d114'],
    ['context-hash-1', 'b5c513930fda4df2'],
  ])('makes the vectors of %s that are already stored', async (model, expected) => {
    const embedder = builtinEmbedder.openStored({}, { embedder: 'builtin', model, dimensions: 384 });
    if (embedder === null) throw new Error(`No builtin embedder computes ${model}.`);
    const vector = await embedOne(
      embedder,
      passage('We went to Málaga, 東京 and back.', {
        title: 'Travels',
        speaker: 'Ann',
        previous: ['Where did you go?', 'Hello Ann!'],
        next: ['How lovely.'],
      }),
    );
    const rounded = Array.from(vector, (value) => value.toFixed(4)).join(' ');
    expect(createHash('sha256').update(rounded).digest('hex').slice(0, 16)).toBe(expected);
  });

  it('finds a passage that says in other words what is asked', async () => {
    const embedder = createBuiltinEmbedder();
    const [right, wrong] = await embedder.embed([
      passage('Ben owns a red Toyota'),
      passage('Leo plays tennis'),
    ]);
    if (!right || !wrong) throw new Error('Two vectors were promised.');
    const query = await embedder.embedQuery('which vehicle does he drive');
    expect(cosine(query, right)).toBeGreaterThan(cosine(query, wrong) + 0.1);
  });

  it('gives the same vector whatever it embedded before, also after its cache was cleared', async () => {
    const question = 'What does the lighthouse keeper do?';
    const given = passage('The lighthouse keeper counts ships.', { previous: [question] });
    const used = createBuiltinEmbedder();
    await used.embed([passage(question)]);
    const manyWords =
      Array.from({ length: 40_000 }, (_, at) => `w${at}q`)
        .join(' ')
        .match(/.{1,90000}/g) ?? [];
    await used.embed(manyWords.map((text) => passage(text)));
    expect(await embedOne(used, given)).toEqual(await embedOne(createBuiltinEmbedder(), given));
  });

  it('yields the processor during a long batch, and can be stopped there', async () => {
    const reason = new Error('enough');
    const stop = new AbortController();
    const passages = Array.from({ length: 2000 }, (_, at) => passage(`turn ${at} about the weather`));
    const result = createBuiltinEmbedder().embed(passages, stop.signal);
    setImmediate(() => stop.abort(reason));
    await expect(result).rejects.toBe(reason);
  });

  it('gives nearer neighbours more weight, before and after alike', async () => {
    const embedder = createBuiltinEmbedder();
    const query = await embedder.embedQuery('telescope');
    const near = async (previous: string[], next: string[]) =>
      cosine(query, await embedOne(embedder, passage('That is nice.', { previous, next })));
    const filler = ['One moment please.', 'Certainly so.'];
    const first = await near(['telescope', ...filler], []);
    const second = await near([filler[0] ?? '', 'telescope', filler[1] ?? ''], []);
    const fourth = await near([...filler, 'Indeed.', 'telescope'], []);
    expect(first).toBeGreaterThan(second);
    expect(second).toBeGreaterThan(fourth);
    expect(await near([], ['telescope', ...filler])).toBeCloseTo(first, 6);
  });

  it('limits the weight of a long neighbour beside a short passage', async () => {
    const embedder = createBuiltinEmbedder();
    const query = await embedder.embedQuery('dentist appointment');
    const reply = Array.from({ length: 400 }, (_, at) => `subject${at}`).join(' ');
    const turn = passage('My dentist appointment moved.', { next: [reply] });
    expect(cosine(query, await embedOne(embedder, turn))).toBeGreaterThan(0.3);
  });

  it('still finds a word that is misspelt', async () => {
    const embedder = createBuiltinEmbedder();
    const query = await embedder.embedQuery('photografer');
    const [right, wrong] = await embedder.embed([passage('a photographer'), passage('a bricklayer')]);
    if (!right || !wrong) throw new Error('Two vectors were promised.');
    expect(cosine(query, right)).toBeGreaterThan(cosine(query, wrong) + 0.04);
  });

  it('finds emoji by themselves', async () => {
    const embedder = createBuiltinEmbedder();
    const query = await embedder.embedQuery('🎉');
    const [same, other] = await embedder.embed([passage('🎉 🎉'), passage('🐢')]);
    if (!same || !other) throw new Error('Two vectors were promised.');
    expect(cosine(query, same)).toBeGreaterThan(cosine(query, other) + 0.5);
  });
});

describe('a rare word of a container', () => {
  const rarity = (term: string): number => (term === 'project' ? 0.1 : 5);

  it('counts more in a query', async () => {
    const embedder = createBuiltinEmbedder();
    const [rare, common] = await embedder.embed([passage('heron sighting'), passage('project meeting')]);
    if (!rare || !common) throw new Error('Two vectors were promised.');
    const even = await embedder.embedQuery('project heron');
    const weighed = await embedder.embedQuery('project heron', rarity);
    expect(cosine(weighed, rare)).toBeGreaterThan(cosine(even, rare) + 0.1);
    expect(cosine(weighed, common)).toBeLessThan(cosine(even, common) - 0.1);
  });

  it('is looked up once for each term, as the index stores it', async () => {
    const asked: string[] = [];
    await createBuiltinEmbedder().embedQuery('The projects, the PROJECT and herons in 東京', (term) => {
      asked.push(term);
      return 1;
    });
    expect(asked).toEqual(['project', 'heron', '東京']);
  });

  it.each([0, Number.NaN, Infinity, 1e-200])(
    'keeps the query vector valid when every weight is %s',
    async (weight) => {
      const embedder = createBuiltinEmbedder();
      expect(await embedder.embedQuery('project heron', () => weight)).toEqual(
        await embedder.embedQuery('project heron'),
      );
    },
  );
});
