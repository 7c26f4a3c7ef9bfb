// Tests of the similarity of a result and of fitting it to an embedder.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBuiltinEmbedder } from '../../../../server/adapters/embed/builtin.ts';
import type { Embedder } from '../../../../server/adapters/embed/port.ts';
import type { Calibration } from '../../../../server/adapters/store/ports/spaces.ts';
import { Scope } from '../../../../server/core/scope.ts';
import { rankByWords } from '../../../../server/domain/search/evidence/lexical-evidence.ts';
import { parseQuery } from '../../../../server/domain/search/query/parse-query.ts';
import {
  CALIBRATION_CASES,
  ENGLISH_CASES,
} from '../../../../server/domain/search/similarity/calibration-cases.ts';
import {
  fitCalibration,
  type LabelledValues,
  labelValues,
} from '../../../../server/domain/search/similarity/fit-calibration.ts';
import { fitCurve, onCurve } from '../../../../server/domain/search/similarity/logistic.ts';
import { createScorer, type EvidenceStrengths } from '../../../../server/domain/search/similarity/scorer.ts';
import { termRarity } from '../../../../server/domain/search/words/rarity.ts';
import { hash32 } from '../../../../server/lib/hash.ts';
import { analyse } from '../../../../server/lib/text/terms/analyse.ts';
import { type OpenSearch, openSearch } from '../open.ts';

const calibration: Calibration = {
  slope: 11,
  middle: 0.38,
  inContext: { slope: 16, middle: 0.26 },
  weight: 0.2,
};
const CONVERSATION = 1;

describe('a similarity', () => {
  const judges = {
    words: createScorer('words', null, { things: 500 }),
    both: createScorer('both', calibration, { things: 500 }),
    meaning: createScorer('meaning', calibration, { things: 500 }),
  };
  const of = (judge: keyof typeof judges, strengths: EvidenceStrengths, flags = 0, prior = 1) =>
    judges[judge].similarity(judges[judge].evidence(strengths, flags, prior), flags);

  it('lies between 0 and 1 and rises with words, with meaning and with the prior', () => {
    const steps = [0, 0.1, 0.3, 0.6, 1, 2];
    for (const judge of ['words', 'both'] as const) {
      const rising = steps.map((words) => of(judge, { words, cosine: 0.3 }));
      expect(rising).toEqual(rising.toSorted((a, b) => a - b));
      expect(rising.every((value) => value >= 0 && value <= 1)).toBe(true);
    }
    for (const judge of ['meaning', 'both'] as const) {
      const rising = [-0.2, 0, 0.2, 0.4, 0.9].map((cosine) => of(judge, { words: 0.2, cosine }));
      expect(rising).toEqual(rising.toSorted((a, b) => a - b));
      expect(of(judge, { words: 0.5, cosine: 0.5 }, 0, 1.2)).toBeGreaterThan(
        of(judge, { words: 0.5, cosine: 0.5 }, 0, 1),
      );
    }
  });

  it('is zero for a chunk without a vector when meaning alone is used', () => {
    expect(of('meaning', { words: 1, cosine: null })).toBe(0);
  });

  it('allows for the neighbours with which a turn is embedded', () => {
    const strengths = { words: 0, cosine: 0.3 };
    expect(of('meaning', strengths, CONVERSATION)).toBeGreaterThan(of('meaning', strengths));
  });

  it('demands a little more when there are more chance matches, up to a limit', () => {
    const among = (chunks: number) => {
      const judge = createScorer('both', calibration, { things: chunks });
      const strengths = { words: 0.45, cosine: 0.35 };
      return judge.similarity(judge.evidence(strengths, 0, 1), 0);
    };
    expect(among(20)).toBeGreaterThan(among(100));
    expect(among(1)).toBe(among(12));
    expect(among(200)).toBe(among(1_000_000));
  });

  it('counts every vector as a chance of its own to look alike, and no word twice', () => {
    const fitted = { ...calibration, weight: 0.45, aloneMiddle: 0.34 };
    const among = (vectors: number) => createScorer('both', fitted, { things: 50, vectors });
    const byWords = (vectors: number) => among(vectors).similarity(0.6, 0);
    expect(among(100).similarityAlone(0.42, 0)).toBeLessThan(among(50).similarityAlone(0.42, 0));
    expect(byWords(100)).toBe(byWords(50));
    const byMeaning = (vectors: number) => {
      const judge = createScorer('meaning', fitted, { things: 50, vectors });
      return judge.similarity(judge.evidence({ words: 0, cosine: 0.42 }, 0, 1), 0);
    };
    expect(byMeaning(100)).toBeLessThan(byMeaning(50));
  });

  it('weighs meaning less in turns and in memories where their weight is less, and stays comparable', () => {
    const fitted = { ...calibration, weight: 0.45, statedWeight: 0.25 };
    const passages = createScorer('both', fitted, { things: 500 });
    const memories = createScorer('both', fitted, { things: 500 }, 'memories');
    expect([passages.weight(0), passages.weight(CONVERSATION), memories.weight(0)]).toEqual([
      0.45, 0.25, 0.25,
    ]);
    expect(createScorer('both', calibration, { things: 500 }, 'memories').weight(0)).toBe(0.2);
    const nothing = [
      passages.similarity(0, 0),
      passages.similarity(0, CONVERSATION),
      memories.similarity(0, 0),
    ];
    for (const similarity of nothing) expect(similarity).toBeCloseTo(nothing[0] ?? 0, 1);
  });

  it('trusts a few common words less where a trusted model finds another meaning, and all words whole', () => {
    const trusted = { ...calibration, weight: 0.45, statedWeight: 0.25 };
    const scorer = createScorer('both', trusted, { things: 500, terms: 4 });
    const far = { words: 0.25, cosine: 0.05 };
    expect(scorer.trust(far, 0)).toBeLessThan(0.2);
    expect(scorer.trust({ ...far, cosine: 0.7 }, 0)).toBeGreaterThan(0.95);
    expect(scorer.trust({ ...far, words: 1 }, 0)).toBe(1);
    expect(scorer.trust({ ...far, words: 0.75 }, 0)).toBeGreaterThan(scorer.trust(far, 0));
    const long = createScorer('both', trusted, { things: 500, terms: 20 });
    expect(long.trust(far, 0)).toBeGreaterThan(0.75);
    expect(scorer.evidence({ words: 0, cosine: 0.55 }, 0, 1)).toBeGreaterThan(scorer.evidence(far, 0, 1));
  });

  it('keeps all words of turns, of texts without a vector, and of spaces in which words count most', () => {
    const trusted = { ...calibration, weight: 0.45, statedWeight: 0.25 };
    const far = { words: 0.25, cosine: 0.05 };
    const things = { things: 500, terms: 4 };
    expect(createScorer('both', trusted, things).trust(far, CONVERSATION)).toBe(1);
    expect(createScorer('both', trusted, things).trust({ ...far, cosine: null }, 0)).toBe(1);
    expect(createScorer('both', { ...calibration, weight: 0.12 }, things).trust(far, 0)).toBe(1);
    expect(createScorer('words', null, things).trust(far, 0)).toBe(1);
  });

  it('weighs meaning less in a long turn than in a short one, where turns have a weight of their own', () => {
    const fitted = { ...calibration, weight: 0.45, statedWeight: 0.25 };
    const judge = createScorer('both', fitted, { things: 500 });
    expect(judge.weight(CONVERSATION, 250)).toBe(0.25);
    expect(judge.weight(CONVERSATION, 1000)).toBeCloseTo(0.0625);
    expect(judge.weight(0, 1000)).toBe(0.45);
    expect(createScorer('both', calibration, { things: 500 }).weight(CONVERSATION, 1000)).toBe(0.2);
    const evidence = (length: number) => judge.evidence({ words: 0.2, cosine: 0.5, length }, CONVERSATION, 1);
    expect(evidence(100)).toBe(evidence(250));
    expect(evidence(500)).toBeLessThan(evidence(250));
    expect(evidence(500)).toBeGreaterThan(evidence(1000));
  });

  it('lets strong meaning alone pass the default threshold in a trusted space, and in no other', () => {
    const paraphrase = (weight: number, cosine: number, flags = 0) => {
      const judge = createScorer('both', { ...calibration, weight, aloneMiddle: 0.34 }, { things: 500 });
      return judge.similarityAlone(cosine, flags);
    };
    expect(paraphrase(0.45, 0.5)).toBeGreaterThan(0.6);
    expect(paraphrase(0.45, 0.95)).toBeLessThanOrEqual(0.7);
    expect(paraphrase(0.45, 0.25)).toBeLessThan(0.3);
    expect(paraphrase(0.12, 0.95)).toBeLessThan(0.3);
    // A turn has the vector of its neighbours too, so meaning alone says less about it.
    expect(paraphrase(0.45, 0.5, CONVERSATION)).toBeLessThan(0.6);
  });
});

describe('fitting an embedder', () => {
  it('makes few requests: each passage of its pairs alone and in context, and each question once', async () => {
    const embedder = createBuiltinEmbedder();
    let passages = 0;
    let questions = 0;
    await fitCalibration({
      ...embedder,
      embed(asked, signal) {
        passages += asked.length;
        return embedder.embed(asked, signal);
      },
      embedQuery(...asked) {
        questions += 1;
        return embedder.embedQuery(...asked);
      },
    });
    const cases = CALIBRATION_CASES.length;
    const texts = CALIBRATION_CASES.reduce((sum, { unrelated }) => sum + 1 + unrelated.length, 0);
    expect({ passages, questions }).toEqual({ passages: 2 * texts, questions: cases });
    expect(texts).toBeLessThanOrEqual(200);
  });

  it('weighs the words of a question by how many of the passages hold them', async () => {
    const embedder = createBuiltinEmbedder();
    const texts = CALIBRATION_CASES.flatMap(({ related, unrelated }) => [related, ...unrelated]);
    const holding = (term: string) => texts.filter((text) => analyse(text).includes(term)).length;
    const weighed = new Map<string, number>();
    await fitCalibration({
      ...embedder,
      embedQuery(question, weigh, signal) {
        for (const term of analyse(question)) weighed.set(term, weigh?.(term) ?? 0);
        return embedder.embedQuery(question, weigh, signal);
      },
    });
    const expected = [...weighed.keys()].map(
      (term) => [term, termRarity(term, holding(term), texts.length)] as const,
    );
    expect(new Set(expected.map(([term]) => Math.min(2, holding(term))))).toEqual(new Set([0, 1, 2]));
    expect([...weighed]).toEqual(expected);
  });

  it('separates related from unrelated for the builtin embedder', async () => {
    const fitted = await fitCalibration(createBuiltinEmbedder());
    expect(onCurve(fitted, fitted.middle + 0.2)).toBeGreaterThan(0.85);
    expect(onCurve(fitted, 0)).toBeLessThan(0.05);
    expect(fitted.inContext?.middle).toBeLessThan(fitted.middle);
    expect([fitted.weight, fitted.statedWeight]).toEqual([0.12, 0.12]);
  });

  it('gives more weight to an embedder that separates them further, unless it hashes words', async () => {
    const builtin = createBuiltinEmbedder();
    const numbers = new Map(
      CALIBRATION_CASES.flatMap((one, at) => [
        [one.query, at],
        [one.related, at],
      ]),
    );
    /** Knows which passage answers which question, and spoils it with so much noise. */
    const knowing = (embedder: string, noise: number): Embedder => {
      const vectorOf = async (text: string, seed: number) => {
        const own = numbers.get(text);
        const vector = Float32Array.from(
          { length: 384 },
          (_, at) => noise * (hash32(`${seed} ${at}`) / 2 ** 31 - 1) + (at === own ? 1 : 0),
        );
        const length = Math.hypot(...vector);
        return vector.map((value) => value / length);
      };
      return {
        ...builtin,
        space: { ...builtin.space, embedder },
        embed: (passages) => Promise.all(passages.map(({ text }, at) => vectorOf(text, at + 1))),
        embedQuery: (text) => vectorOf(text, 5_000 + text.length),
      };
    };
    const weight = async (embedder: string, noise: number) =>
      (await fitCalibration(knowing(embedder, noise))).weight ?? 0;
    expect(await weight('openai', 0.02)).toBeGreaterThan(0.4);
    expect(await weight('openai', 0.02)).toBeGreaterThan(await weight('openai', 0.2));
    expect(await weight('builtin', 0.02)).toBe(0.12);
    expect(await weight('local', 0.02)).toBe(0.45);
    expect((await fitCalibration(knowing('local', 0.02))).statedWeight).toBe(0.25);
  });

  it('refuses an embedder whose vectors mean nothing, with a sentence', async () => {
    const builtin = createBuiltinEmbedder();
    const same = new Float32Array(384).fill(1 / Math.sqrt(384));
    const blind: Embedder = {
      ...builtin,
      embed: async (passages) => passages.map(() => same),
      embedQuery: async () => same.map((value) => -value),
    };
    await expect(fitCalibration(blind)).rejects.toThrow(/does not tell related texts from unrelated ones/);
  });

  it('asks in calls no larger than the embedder takes', async () => {
    const builtin = createBuiltinEmbedder();
    const sizes: number[] = [];
    const small: Embedder = {
      ...builtin,
      limits: { ...builtin.limits, passagesPerCall: 50 },
      embed: (passages) => {
        sizes.push(passages.length);
        return builtin.embed(passages);
      },
    };
    expect(await fitCalibration(small)).toEqual(await fitCalibration(builtin));
    expect(Math.max(...sizes)).toBe(50);
  });

  it('finds the curve from which the examples were drawn', () => {
    const values = Array.from({ length: 400 }, (_, at) => at / 400);
    const curve = fitCurve(
      values.filter((value) => value > 0.45),
      values.filter((value) => value < 0.55),
    );
    expect(curve.middle).toBeCloseTo(0.5, 1);
    expect(curve.slope).toBeGreaterThan(10);
  });
});

describe('the constants of similarity', () => {
  let open: OpenSearch;
  let byWords: LabelledValues;
  let byBoth: LabelledValues;

  beforeAll(async () => {
    open = await openSearch();
    ({ byWords, byBoth } = await strengthsOf(open));
  });
  afterAll(() => open[Symbol.asyncDispose]());

  const agrees = (judge: ReturnType<typeof createScorer>, { related, unrelated }: LabelledValues) => {
    const fitted = fitCurve(related, unrelated);
    const at = (evidence: number) => judge.similarity(evidence, 0);
    expect(at(fitted.middle)).toBeCloseTo(0.5, 1);
    expect(at(fitted.middle + 0.15)).toBeCloseTo(onCurve(fitted, fitted.middle + 0.15), 1);
    expect(at(fitted.middle - 0.15)).toBeCloseTo(onCurve(fitted, fitted.middle - 0.15), 1);
  };

  it('are fitted to the built-in questions, for words alone', () => {
    agrees(createScorer('words', null, { things: 192 }), byWords);
  });

  it('are fitted to the built-in questions, for words and meaning together', () => {
    agrees(createScorer('both', { ...open.space.calibration }, { things: 192 }), byBoth);
  });
});

/** Every built-in question on which the space is fitted against every built-in passage, through the store. */
async function strengthsOf(open: OpenSearch): Promise<{ byWords: LabelledValues; byBoth: LabelledValues }> {
  const cases = open.space.embedder.onlyEnglish === true ? ENGLISH_CASES : CALIBRATION_CASES;
  const texts = cases.flatMap(({ related, unrelated }) => [related, ...unrelated]);
  await open.add(
    'fit',
    texts.map((content, at) => ({ content, metadata: { at } })),
  );
  const scope = Scope.mint(['fit'], []);
  const { search } = open.store;
  const { id, embedder, calibration } = open.space;
  const places = new Map<number, number>();
  const words: number[][] = [];
  const both: number[][] = [];
  for (const { query: question } of cases) {
    const read = parseQuery(question);
    const found = await search.keyword(scope, {}, read.terms, { aside: false, limit: 10_000 });
    const rarity = new Map(read.terms.map((term, at) => [term, found.frequencies[at] ?? 0]));
    const vector = await embedder.embedQuery(question, (term) =>
      termRarity(term, rarity.get(term) ?? 0, texts.length),
    );
    const cosines = await search.scan(scope, {}, { space: id, vector, limit: 10_000, aside: false });
    if (places.size === 0)
      for (const { n, document } of await search.passages(
        scope,
        {},
        cosines.map(({ n }) => n),
      ))
        places.set(n, Number(document.metadata?.at));
    const judge = createScorer('both', calibration, { things: texts.length, terms: read.terms.length });
    const strengths = texts.map(() => 0);
    for (const { n, strength } of rankByWords({ found, query: read, limit: 10_000 }))
      if (n !== null) strengths[places.get(n) ?? -1] = strength;
    const joined = [...strengths];
    for (const { n, cosine } of cosines) {
      const at = places.get(n) ?? -1;
      joined[at] = judge.evidence({ words: strengths[at] ?? 0, cosine }, 0, 1);
    }
    words.push(strengths);
    both.push(joined);
  }
  return { byWords: labelValues(words), byBoth: labelValues(both) };
}
