// Tests of cutting conversations and documents into chunks.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ChunkDraft, chunk } from '../../../../server/domain/ingestion/chunking/chunk.ts';
import { parseContent } from '../../../../server/domain/ingestion/content/parse-content.ts';
import {
  type RecognisedKind,
  recogniseKind,
} from '../../../../server/domain/ingestion/content/recognise-kind.ts';
import { cpuMs } from '../fixtures/cost.ts';
import { block, randomOf, sentence, wordsOf } from '../fixtures/random.ts';

const chunks = (text: string, kind: RecognisedKind = recogniseKind(text)): ChunkDraft[] =>
  chunk(parseContent(text, { kind }));
const texts = (text: string, kind?: RecognisedKind): string[] => chunks(text, kind).map((one) => one.text);
const sentences = (count: number, length = 100): string =>
  Array.from({ length: count }, (_, i) => `${`Sentence ${i} `.padEnd(length - 2, 'x')}. `)
    .join('')
    .trim();

describe('chunks of a requested size', () => {
  const sized = (text: string, size: number): number[] =>
    chunk(parseContent(text, { kind: recogniseKind(text) }), size).map((one) => one.text.length);

  it('are about that long, and end where sentences end', () => {
    const text = sentences(40);
    for (const size of [300, 700, 2_000]) {
      const lengths = sized(text, size);
      expect(lengths.length).toBeGreaterThan(1);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(size * 1.3);
      expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThan(size * 0.6);
    }
    for (const { text: one } of chunk(parseContent(text, { kind: 'text' }), 300))
      expect(one).toMatch(/^Sentence .*\.$/);
  });

  it('keep to it in conversations and in Markdown as well', () => {
    for (const text of [
      `user: ${sentences(30)}\nassistant: ${sentences(30)}`,
      `# One\n\n${sentences(20)}\n\n# Two\n\n${sentences(20)}`,
    ])
      expect(Math.max(...sized(text, 300))).toBeLessThanOrEqual(390);
  });

  it('have the default length for sizes up to 0, and a bounded length for any size', () => {
    const text = sentences(200);
    const usual = texts(text).map(({ length }) => length);
    for (const size of [-1, 0, -2_147_483_648]) expect(sized(text, size)).toEqual(usual);
    expect(sized(text, 1)).toEqual(sized(text, 100));
    expect(sized(text, 2_147_483_647)).toEqual(sized(text, 6_000));
  });
});

describe('chunks of conversations', () => {
  it('are one per turn between people, whatever its length up to 1,600 characters', () => {
    const long = sentences(15);
    const found = chunks(`Date: 8 May 2023\nAna: hi!\nBen: ${long}\nAna: ok?`);
    expect(found.map(({ text, position, part, speaker }) => [text, position, part, speaker])).toEqual([
      ['hi!', 0, 0, 'Ana'],
      [long, 1, 0, 'Ben'],
      ['ok?', 2, 0, 'Ana'],
    ]);
    expect(found[2]).toMatchObject({
      date: Date.UTC(2023, 4, 8),
      flags: { conversation: true, chat: false, assistant: false, question: true },
    });
  });

  it('cut longer turns at ends of sentences', () => {
    const found = chunks(`Ana: hi you\nBen: ${sentences(40)}\nAna: ok`).filter((one) => one.position === 1);
    expect(found.map((one) => one.part)).toEqual([0, 1, 2]);
    for (const { text } of found) expect(text).toMatch(/^Sentence .*\.$/);
    expect(found.every((one) => one.text.length <= 1_600)).toBe(true);
  });

  it('keep the words of a user whole and cut replies into pieces of about 800 characters', () => {
    const found = chunks(`user: ${sentences(15)}\nassistant: ${sentences(40)}`);
    expect(found.filter((one) => one.role === 'user')).toHaveLength(1);
    const replies = found.filter((one) => one.role === 'assistant');
    expect(replies).toHaveLength(5);
    expect(replies.every((one) => one.text.length <= 1_040 && one.flags.assistant && one.flags.chat)).toBe(
      true,
    );
  });

  it('carry the time of their own message, else of the conversation', () => {
    const found = chunks(
      '[{"role":"user","content":"a","timestamp":"2026-01-02T00:00:00Z"},{"role":"assistant","content":"b"},{"role":"user","content":"c","timestamp":"2026-01-03T00:00:00Z"}]',
    );
    expect(found.map((one) => one.date)).toEqual([2, 2, 3].map((day) => Date.UTC(2026, 0, day)));
  });

  it('are marked as questions when they end with a question mark', () => {
    const asks = (text: string) => chunks(`user: ${text}\nassistant: ok`)[0]?.flags.question;
    expect(['Why?', 'Why? 😀', '**Why?**', 'なぜ？', '(why?)'].map(asks)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(['Why? Because.', 'No', 'a?b'].map(asks)).toEqual([false, false, false]);
  });
});

describe('chunks of documents', () => {
  it('are a single one when the document is short', () => {
    const [only, ...others] = chunks('Title\n\nA short text about the harbour.');
    expect(only).toEqual({
      text: 'Title\n\nA short text about the harbour.',
      position: 0,
      part: 0,
      title: 'Title',
      flags: { conversation: false, chat: false, assistant: false, question: false },
    });
    expect(others).toEqual([]);
  });

  it('end with a paragraph, else a sentence, and do not overlap', () => {
    const paragraphs = Array.from({ length: 10 }, () => sentences(4)).join('\n\n');
    expect(texts(paragraphs).every((text) => text.startsWith('Sentence 0'))).toBe(true);
    const pieces = texts(sentences(60));
    expect(pieces.every((text) => /^Sentence .*\.$/.test(text) && text.length <= 1_560)).toBe(true);
    expect(pieces.join(' ')).toBe(sentences(60));
  });

  it('do not take an abbreviation or a number for the end of a sentence', () => {
    const prose =
      'The director, Dr. Amelia Okafor, paid 1.8 million to J. Smith e.g. for boats, maps etc. and 3.5 charts';
    const pieces = texts(Array.from({ length: 30 }, () => `${prose}.`).join(' '));
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces) expect(piece).toMatch(/charts\.$/);
  });

  it('find the sentences of other scripts', () => {
    const japanese = '港の博物館は一九二四年に開かれました。屋根は三か所で雨漏りを始めた。'.repeat(120);
    const pieces = texts(japanese);
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces) expect(piece.endsWith('。')).toBe(true);
    expect(pieces.join('')).toBe(japanese);
  });

  it('carry the headings above them', () => {
    const section = (name: string) => `## ${name}\n\n${sentences(9)}\n\n### Deep ${name}\n\n${sentences(9)}`;
    const found = chunks(`# Guide\n\n${section('A')}\n\n${section('B')}`);
    expect(found.map((one) => one.title)).toEqual([
      'Guide > A',
      'Guide > A > Deep A',
      'Guide > B',
      'Guide > B > Deep B',
    ]);
    expect(found[1]?.text.startsWith('### Deep A\n')).toBe(true);
  });

  it('join small sections under their common headings', () => {
    const found = chunks(
      `# Guide\n\n${Array.from({ length: 6 }, (_, i) => `## Part ${i}\n\nA short text.`).join('\n\n')}`,
    );
    expect(found.map((one) => one.title)).toEqual(['Guide']);
  });

  it('never end with a heading', () => {
    const text = Array.from({ length: 40 }, (_, i) => `## Heading ${i}\n\n${sentences(1 + (i % 9))}`).join(
      '\n\n',
    );
    for (const piece of texts(text)) expect(piece.trimEnd().split('\n').at(-1)).not.toMatch(/^#/);
  });

  it('keep code fences whole where they fit, and cut longer ones between lines', () => {
    const fence = `\`\`\`js\n${Array.from({ length: 30 }, (_, i) => `const value${i} = ${i};`).join('\n')}\n\`\`\``;
    const found = texts(`# Code\n\n${sentences(9)}\n\n${fence}\n\n${sentences(9)}`);
    expect(found.some((text) => text.includes(fence))).toBe(true);
    const long = `\`\`\`js\n${Array.from({ length: 300 }, (_, i) => `const value${i} = "# not a heading";`).join('\n')}\n\`\`\``;
    for (const piece of texts(`# Code\n\n${long}`).slice(1, -1)) expect(piece).toMatch(/^const .*;$/s);
  });

  it('repeat the header of a table above each piece of it', () => {
    const rows = Array.from({ length: 120 }, (_, i) => `| room ${i} | ${'x'.repeat(30)} |`);
    const found = texts(`# Rooms\n\n| Room | Use |\n|---|---|\n${rows.join('\n')}\n`);
    expect(found.length).toBeGreaterThan(3);
    for (const piece of found)
      expect(piece).toMatch(/(^|# Rooms\n\n)\| Room \| Use \|\n\|---\|---\|\n\| room/);
    for (const row of rows) expect(found.filter((piece) => piece.split('\n').includes(row))).toHaveLength(1);
  });

  it('stay the same when a text is added behind them', () => {
    const before = texts(sentences(100));
    const after = texts(`${sentences(100)} ${sentences(5)}`);
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  });

  it('never cut a character in two', () => {
    for (const text of ['😀'.repeat(5_000), `a${'😀'.repeat(5_000)}`, `${'x'.repeat(1_199)}😀`.repeat(4)])
      for (const piece of texts(text)) expect(piece.isWellFormed()).toBe(true);
  });
});

describe('chunking of any text', () => {
  it('loses no word and makes no chunk too long', () => {
    for (let seed = 1; seed <= 150; seed++) {
      const random = randomOf(seed);
      const text = Array.from({ length: 1 + random.int(12) }, () => block(random)).join(
        random.pick(['\n\n', '\n', ' ']),
      );
      for (const kind of ['markdown', 'text'] as const) {
        const pieces = texts(text, kind);
        expect(
          pieces.filter((piece) => piece.length > 1_560 || piece.trim() !== piece || piece === ''),
        ).toEqual([]);
        const held = pieces.join('').replace(/\s+/g, '');
        // A table's header is repeated; everything else is there once and in order.
        if (kind === 'text' || !text.includes('|')) expect(held).toBe(text.replace(/\s+/g, ''));
        const lost = wordsOf(text).filter((word) => word.length < 100 && !held.includes(word));
        expect({ seed, kind, lost }).toEqual({ seed, kind, lost: [] });
      }
    }
  });

  it('keeps the same promises for the turns of chats', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomOf(seed);
      const turns = Array.from({ length: 2 + random.int(6) }, (_, i) => ({
        role: i % 2 ? 'assistant' : 'user',
        content: `${sentence(random)} ${block(random)}`,
      }));
      const found = chunks(JSON.stringify(turns));
      expect(found.every((one) => one.text.length <= 1_600)).toBe(true);
      for (const [position, turn] of turns.entries()) {
        const held = found
          .filter((one) => one.position === position)
          .map((one) => one.text)
          .join(' ')
          .replace(/\s+/g, '');
        expect(wordsOf(turn.content).filter((word) => word.length < 100 && !held.includes(word))).toEqual([]);
      }
    }
  });

  it('takes a time and makes a number of chunks that are linear in the size', () => {
    const size = 3 * 1024 * 1024;
    for (const piece of ['a', ' ', '[', '😀', 'word ', '# a\n', '|a|b|\n', '```\n', '. ', 'A: b\n', '|'])
      for (const kind of ['markdown', 'text'] as const) {
        const text = piece.repeat(Math.floor(size / piece.length));
        let found = 0;
        const cost = cpuMs(() => {
          found = chunk(parseContent(text, { kind })).length;
        });
        expect(cost).toBeLessThan(2_400);
        expect(found).toBeLessThan(size / 500);
      }
  }, 120_000);

  it('costs less than 100 µs per 1,000 characters of plain text', () => {
    const text = readFileSync(new URL('../../../../LICENSE', import.meta.url), 'utf8').repeat(3);
    for (let i = 0; i < 20; i++) texts(text);
    const cost = cpuMs(() => {
      for (let i = 0; i < 20; i++) texts(text);
    });
    expect((cost * 1_000) / 20 / (text.length / 1_000)).toBeLessThan(100);
  });
});
