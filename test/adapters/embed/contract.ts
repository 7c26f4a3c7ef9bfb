// The contract of an embedder, as tests that each embedder passes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbedderKind } from '../../../server/adapters/embed/kind.ts';
import type { Embedder, Passage } from '../../../server/adapters/embed/port.ts';

export interface Prepared<Settings> {
  /** Settings that ask for this embedder. */
  readonly settings: Settings;
  close(): Promise<void>;
}

export const passage = (text: string, around: Partial<Passage> = {}): Passage => ({
  text,
  previous: [],
  next: [],
  ...around,
});

export const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

export const embedOne = async (embedder: Embedder, given: Passage): Promise<Float32Array> => {
  const [vector] = await embedder.embed([given]);
  if (!vector) throw new Error('No vector came back.');
  return vector;
};

const TEXTS: readonly [string, string][] = [
  ['English', 'The ferry to the island leaves at noon.'],
  ['Japanese', '来週の水曜日に京都へ行きます。'],
  ['Chinese', '我下周三去北京出差。'],
  ['Arabic', 'سأسافر إلى القاهرة يوم الأربعاء.'],
  ['accented', 'À bientôt, señor Łukasz – naïve façade.'],
  ['emoji', '🎉👩‍👩‍👧❤️'],
  ['punctuation', '… —!?'],
  ['stop words', 'to be or not to be'],
  ['half a character', 'broken \ud83d end'],
  ['empty', ''],
  ['blank', ' \n\t '],
  ['a million characters', 'The river rose again. '.repeat(46_000)],
];

const QUESTIONS: readonly [string, string, string, string][] = [
  [
    'English',
    'Where does Ann keep the spare keys of the house?',
    'Ann keeps spare house keys under the third flower pot.',
    'The orchestra played a symphony by Brahms last evening.',
  ],
  ['Japanese', '京都旅行はいつですか', '京都旅行は来週の水曜日です。', '猫の餌を買い忘れた。'],
  ['Chinese', '北京出差是什么时候', '我下周三去北京出差。', '她喜欢画水彩画。'],
  ['Arabic', 'متى السفر إلى القاهرة', 'السفر إلى القاهرة يوم الأربعاء', 'اشترت قطة بيضاء صغيرة'],
  ['accented', 'où habite Zoé à Málaga', 'Zoé habite à Málaga depuis mai.', 'Le train était en retard.'],
];

/** The words that an embedder of the contract has to tell apart. */
export const CONTRACT_TEXTS: readonly string[] = [
  ...TEXTS.map(([, text]) => text.slice(0, 100)),
  ...QUESTIONS.flatMap(([, ...texts]) => texts),
  'Number 0123456789 is about a harbour violin glacier pepper saddle compass lantern.',
  'Yes, gladly, at ten. Shall we go swimming in the lake? It went well. Melanie pottery a turn',
];

const expectUnit = (vector: Float32Array, dimensions: number): void => {
  expect(vector).toHaveLength(dimensions);
  expect(vector.every(Number.isFinite)).toBe(true);
  expect(Math.sqrt(cosine(vector, vector))).toBeCloseTo(1, 5);
};

const keepsItsForm = (embedder: () => Embedder): void => {
  it('names its space and its limits', () => {
    expect(embedder().space.embedder).not.toBe('');
    expect(embedder().space.model).not.toBe('');
    expect(embedder().space.dimensions).toBeGreaterThan(0);
    expect(Math.min(...Object.values(embedder().limits))).toBeGreaterThan(0);
  });

  it.each(TEXTS)('gives a unit vector for a passage and a query: %s', async (_, text) => {
    expectUnit(await embedOne(embedder(), passage(text)), embedder().space.dimensions);
    expectUnit(await embedder().embedQuery(text), embedder().space.dimensions);
  });

  it('gives an empty list for no passages', async () => {
    expect(await embedder().embed([])).toEqual([]);
  });

  it('gives one vector for each passage, in order, the same alone and in a batch', async () => {
    const words = ['harbour', 'violin', 'glacier', 'pepper', 'saddle', 'compass', 'lantern'];
    const passages = Array.from({ length: 300 }, (_, at) =>
      passage(`Number ${at} is about a ${words[at % words.length]}.`),
    );
    const all = await embedder().embed(passages);
    expect(all).toHaveLength(300);
    for (const at of [0, 1, 150, 299]) {
      const alone = await embedOne(embedder(), passages[at] ?? passage(''));
      expect(cosine(alone, all[at] ?? alone)).toBeCloseTo(1, 6);
    }
  });
};

const understands = (embedder: () => Embedder): void => {
  it.each(QUESTIONS)(
    'places the answer of a question nearer than other texts: %s',
    async (_, question, answer, other) => {
      const query = await embedder().embedQuery(question);
      const [right, wrong] = await embedder().embed([passage(answer), passage(other)]);
      if (!right || !wrong) throw new Error('Two vectors were promised.');
      expect(cosine(query, right)).toBeGreaterThan(cosine(query, wrong) + 0.1);
    },
  );

  it('understands a turn through the one before it', async () => {
    const turn = 'Yes, gladly, at ten.';
    const query = await embedder().embedQuery('swimming in the lake');
    const alone = await embedOne(embedder(), passage(turn));
    const inContext = await embedOne(
      embedder(),
      passage(turn, { previous: ['Shall we go swimming in the lake?'] }),
    );
    expect(cosine(query, inContext)).toBeGreaterThan(cosine(query, alone) + 0.1);
  });

  it('uses the speaker and the title of a document', async () => {
    const query = await embedder().embedQuery('Melanie pottery');
    const bare = await embedOne(embedder(), passage('It went well.'));
    const named = await embedOne(
      embedder(),
      passage('It went well.', { speaker: 'Melanie', title: 'Pottery' }),
    );
    expect(cosine(query, named)).toBeGreaterThan(cosine(query, bare) + 0.1);
  });
};

const behaves = (embedder: () => Embedder): void => {
  it('does not change its input', async () => {
    const given = Object.freeze({
      ...passage('A frozen turn.'),
      previous: Object.freeze(['before']),
      next: Object.freeze(['after']),
    });
    await embedder().embed(Object.freeze([given]));
    expect(given.previous).toEqual(['before']);
  });

  it('stops with the reason of a signal that is aborted', async () => {
    const reason = new Error('no longer wanted');
    const signal = AbortSignal.abort(reason);
    await expect(embedder().embed([passage('a turn')], signal)).rejects.toBe(reason);
    await expect(embedder().embedQuery('a query', undefined, signal)).rejects.toBe(reason);
  });
};

/** The declaration and the embedder that it opens belong together. */
const isDeclared = <Settings>(
  kind: EmbedderKind<Settings>,
  settings: () => Settings,
  embedder: () => Embedder,
): void => {
  it('requests the space that it opens', () => {
    const { dimensions, ...asked } = kind.requestedSpace(settings()) ?? { dimensions: null };
    expect(embedder().space).toMatchObject(asked);
    expect([null, embedder().space.dimensions]).toContain(dimensions);
    expect(embedder().space.embedder).toBe(kind.name);
  });

  it('is opened again for the vectors that it stored', () => {
    expect(kind.openStored(settings(), embedder().space)?.space).toEqual(embedder().space);
  });
};

/** Every embedder has a test that calls this with its declaration; embedders.test.ts looks for it. */
export const embedderContract = <Settings>(
  kind: EmbedderKind<Settings>,
  prepare: () => Promise<Prepared<Settings>>,
): void => {
  describe(`the embedder "${kind.name}" keeps the contract of an embedder`, () => {
    let prepared: Prepared<Settings>;
    let opened: Embedder;
    beforeAll(async () => {
      prepared = await prepare();
      opened = await kind.open(prepared.settings);
    });
    afterAll(() => prepared.close());

    const embedder = () => opened;
    isDeclared(kind, () => prepared.settings, embedder);
    keepsItsForm(embedder);
    understands(embedder);
    behaves(embedder);
  });
};
