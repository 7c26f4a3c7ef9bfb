// Tests of ranking passages by the words of the query.
import { describe, expect, it } from 'vitest';
import type { KeywordMatch, KeywordMatches } from '../../../../server/adapters/store/ports/search.ts';
import { type LexicalHit, rankByWords } from '../../../../server/domain/search/evidence/lexical-evidence.ts';
import { parseQuery } from '../../../../server/domain/search/query/parse-query.ts';
import { analyse } from '../../../../server/lib/text/terms/analyse.ts';
import {
  encodeTerms,
  heldTerms,
  type TermFields,
  wantedTerms,
} from '../../../../server/lib/text/terms/terms.ts';

const CONVERSATION = 1;
const CHAT = 2;
const ASSISTANT = 4;
const QUESTION = 8;

interface Sketch {
  text: string;
  document?: number;
  position?: number;
  part?: number;
  flags?: number;
  title?: string;
  head?: string;
  speaker?: string;
  messageTokens?: number;
}

/** The matches that a store of these chunks would give for a question; `n` is the place in the list, from 1. */
const matchesOf = (question: string, sketches: readonly Sketch[], chunks = 200): KeywordMatches => {
  const terms = parseQuery(question).terms;
  const described = sketches.map((sketch, at): KeywordMatch => {
    const fields: TermFields = {
      body: analyse(sketch.text),
      title: analyse(sketch.title ?? ''),
      head: analyse(sketch.head ?? ''),
      speaker: analyse(sketch.speaker ?? ''),
    };
    return {
      n: at + 1,
      document: sketch.document ?? 1,
      position: sketch.position ?? at,
      part: sketch.part ?? 0,
      flags: sketch.flags ?? 0,
      bodyTokens: fields.body.length,
      messageTokens: sketch.messageTokens ?? fields.body.length,
      held: heldTerms(encodeTerms(fields), wantedTerms(terms)),
    };
  });
  return {
    matches: described.filter(({ held }) => held.length > 0),
    frequencies: terms.map(
      (_, at) => described.filter(({ held }) => held.some(({ term }) => term === at)).length,
    ),
    chunks,
    averageBodyTokens: 6,
    averageMessageTokens: 6,
  };
};

const rank = (
  question: string,
  sketches: readonly Sketch[],
  options: { chunks?: number; limit?: number } = {},
) =>
  rankByWords({
    found: matchesOf(question, sketches, options.chunks),
    query: parseQuery(question),
    limit: options.limit ?? 1_000,
  });

const apart = (texts: readonly string[]): Sketch[] => texts.map((text, at) => ({ text, document: at + 1 }));
const numbers = (hits: readonly LexicalHit[]) => hits.map(({ n }) => n);
const strengthOf = (hits: readonly LexicalHit[], n: number) => hits.find((hit) => hit.n === n)?.strength ?? 0;

describe('ranking by words', () => {
  it('prefers the passage with more of the rare words', () => {
    const hits = rank(
      'kiln glaze temperature',
      apart(['the kiln door', 'temperature of the glaze in the kiln', 'the weather', 'temperature today']),
    );
    expect(numbers(hits)).toEqual([2, 1, 4]);
  });

  it('gives a strength of about one to a text with every word of the query once', () => {
    const [hit] = rank(
      'harbour crane inspection',
      apart(['harbour crane inspection before breakfast tomorrow']),
    );
    expect(hit?.strength).toBeGreaterThan(0.9);
    expect(hit?.strength).toBeLessThan(1.2);
  });

  it('counts query words that no text contains against every result', () => {
    const texts = apart(['the harbour at night']);
    const [known] = rank('harbour', texts);
    const [half] = rank('harbour zeppelin', texts);
    expect(half?.strength).toBeLessThan((known?.strength ?? 0) * 0.6);
  });

  it('gives little weight to a shared everyday word, however small the container is', () => {
    const texts = apart(['we took the new tram', 'the zither is out of tune']);
    const everyday = rank('what new zeppelin', texts, { chunks: 2 });
    const telling = rank('which zither zeppelin', texts, { chunks: 2 });
    expect(everyday[0]?.strength).toBeLessThan((telling[0]?.strength ?? 0) / 2);
  });

  it('values a word in few chunks of the container above a word in many', () => {
    const many = Array.from({ length: 40 }, () => 'pottery class');
    const hits = rank('pottery kiln', apart([...many, 'kiln broke']));
    expect(hits[0]?.n).toBe(41);
  });

  it('reads title, date and speaker as fields of less weight than the body', () => {
    const hits = rank('walter october', [
      { text: 'walter came in october', document: 1 },
      { text: 'he came', document: 2, head: 'Friday 3 October 2025', speaker: 'Walter' },
      { text: 'he came', document: 3, speaker: 'Walter' },
    ]);
    expect(numbers(hits)).toEqual([1, 2, 3]);
  });

  it('finds nothing for a question without words', () => {
    expect(rank('🎈', apart(['a balloon']))).toEqual([]);
  });

  it('ranks only the best matches when there are more than its limit', () => {
    const hits = rank('pottery kiln', apart(['pottery', 'pottery', 'kiln pottery', 'pottery', 'kiln']), {
      limit: 2,
    });
    expect(numbers(hits).toSorted()).toEqual([3, 5]);
  });
});

describe('the words of a neighbour', () => {
  const dialogue = (texts: readonly string[], flags: readonly number[] = []): Sketch[] =>
    texts.map((text, at) => ({ text, position: at, flags: CONVERSATION | (flags[at] ?? 0) }));

  it('find the turn after their own and the turns around it, weaker with distance', () => {
    const hits = rank('zither', dialogue(['a', 'b', 'c', 'my zither', 'e', 'f', 'g', 'h']));
    const at = (position: number) => hits.find((hit) => hit.position === position)?.strength ?? 0;
    expect(hits[0]?.position).toBe(3);
    expect([at(4), at(5), at(6)]).toEqual([at(4), at(5), at(6)].toSorted((a, b) => b - a));
    expect([at(2), at(1), at(0)]).toEqual([at(2), at(1), at(0)].toSorted((a, b) => b - a));
    expect(at(4)).toBeGreaterThan(at(2));
    expect(at(7)).toBe(0);
    expect(hits.find((hit) => hit.position === 4)?.n).toBeNull();
  });

  it('count more for an answer when the turn before is a question', () => {
    const plain = rank('zither', dialogue(['your zither', 'yes']));
    const asked = rank('zither', dialogue(['your zither?', 'yes'], [QUESTION]));
    const answer = (hits: readonly LexicalHit[]) => hits.find((hit) => hit.position === 1)?.strength ?? 0;
    expect(answer(asked)).toBeGreaterThan(answer(plain));
  });

  it('never reach a position before the first, nor another document', () => {
    const hits = rank('zither', [
      { text: 'my zither', document: 7, position: 0, flags: CONVERSATION },
      { text: 'other', document: 8, position: 1, flags: CONVERSATION },
    ]);
    expect(hits.every(({ document, position }) => document === 7 && position >= 0)).toBe(true);
  });

  it('reach from a reply the message that asked, and no earlier reply', () => {
    const reply = CONVERSATION | CHAT | ASSISTANT;
    const hits = rank('zither strings', [
      { text: 'tell me about strings', position: 0, flags: CONVERSATION | CHAT },
      { text: 'a zither has many', position: 1, flags: reply },
      { text: 'strings of a zither', position: 2, flags: reply },
    ]);
    const alone = rank('zither strings', [
      { text: 'tell me about strings', position: 0, flags: CONVERSATION | CHAT },
      { text: 'unrelated', position: 1, flags: reply },
      { text: 'a zither has many', position: 5, flags: reply },
      { text: 'strings of a zither', position: 7, flags: reply },
    ]);
    expect(strengthOf(hits, 1)).toBeGreaterThan(strengthOf(alone, 1));
    expect(strengthOf(hits, 2)).toBeCloseTo(strengthOf(alone, 3), 1);
  });

  it('are taken from the whole message when several parts of it match', () => {
    const turn = { position: 0, flags: CONVERSATION, messageTokens: 6 };
    const both = rank('zither concert', [
      { text: 'my zither', ...turn, part: 0 },
      { text: 'the concert', ...turn, part: 1 },
    ]);
    const lent = both.find(({ position }) => position === 1)?.strength ?? 0;
    const one = rank('zither concert', [
      { text: 'my zither', ...turn, part: 0 },
      { text: 'the concert', document: 2, position: 9, flags: CONVERSATION },
    ]);
    expect(lent).toBeGreaterThan(
      one.find(({ document, position }) => document === 1 && position === 1)?.strength ?? 0,
    );
  });

  it('help the next piece of a document a little, in the same position or the next', () => {
    const pieces = (second: Partial<Sketch>) =>
      rank('zither concert', [
        { text: 'all about the zither', position: 0, part: 0 },
        { text: 'and the concert', ...second },
      ]);
    const far = strengthOf(pieces({ position: 0, part: 5 }), 2);
    expect(strengthOf(pieces({ position: 0, part: 1 }), 2)).toBeGreaterThan(far);
    expect(strengthOf(pieces({ position: 1, part: 0 }), 2)).toBeGreaterThan(far);
    expect(strengthOf(pieces({ document: 2, position: 1, part: 0 }), 2)).toBeCloseTo(far, 6);
  });
});
