// The surroundings of a hit: their reach, their length, and the days on which they were said.
import { beforeAll, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type MemoryHit, searchesOf } from './support/searches.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();
const { memories, documents, refusal } = searchesOf(api);

const talk = [
  'Ann: Shall we row?',
  'Ben: To where?',
  'Ann: With the new boat, I mean.',
  'Ben: Of course.',
  'Ann: To the lighthouse.',
  'Ben: In this wind?',
  'Ann: It will calm down.',
  'Ben: Then I bring tea.',
  'Ann: And the blankets?',
];
const AT = 4;
const sentence = 'Nothing happened and the sea was calm. ';
const pieceWith = (word: string, characters: number): string =>
  `${word} ${sentence.repeat(Math.ceil(characters / sentence.length))}`.slice(0, characters).trim();

let pieces: string[];
beforeAll(async () => {
  const add = (containerTag: string, content: string) =>
    api.add({ content, containerTag, taskType: 'superrag' });
  await add('windows-talk', talk.join('\n'));
  await add('dated', `Date: 7 May 2023\n${talk.slice(AT - 1, AT + 2).join('\n')}`);
  await add('long talk', talk.map((line, n) => pieceWith(`${line} ${'kelp'.repeat(n)}`, 500)).join('\n'));
  const log = await add(
    'windows-log',
    ['Tern', 'Heron', 'Egret', 'Plover', 'Avocet'].map((bird) => pieceWith(bird, 1_100)).join('\n\n'),
  );
  pieces = await api.texts(log.id);
});

const asked = { searchMode: 'keyword', threshold: 0, limit: 1 };
const lines = (hit: MemoryHit | undefined): string[] => hit?.chunk?.split('\n') ?? [];
const linesOf = async (more: object) => lines((await memories('lighthouse', { ...asked, ...more }))[0]);

verifies('search:window:reach', 'a window reaches as many turns on each side as it is told', async () => {
  for (const window of [0, 1, 3])
    expect(await linesOf({ containerTag: 'windows-talk', window })).toEqual(
      talk.slice(AT - window, AT + window + 1),
    );
  for (const route of ['/v3/search', '/v4/search'] as const) {
    expect(await refusal(route, { q: 'x', window: 6 })).toContain('window');
    expect(await refusal(route, { q: 'x', window: -1 })).toContain('window');
  }
});

verifies('search:window:reach', 'a piece of another text counts as two turns', async () => {
  expect(pieces).toHaveLength(5);
  const found = async (window: number) => {
    const [hit] = await documents('Egret', { containerTag: 'windows-log', searchMode: 'keyword', window });
    return hit?.chunks.map(({ content }) => content);
  };
  expect(await found(0)).toEqual([pieces[2]]);
  expect(await found(2)).toEqual(pieces.slice(1, 4));
  expect(await found(3)).toEqual(pieces);
});

verifies(
  'search:window:default',
  'two turns on each side come with memories, and with documents where not only matches are wanted',
  async () => {
    const around = talk.slice(AT - 2, AT + 3);
    const containerTag = 'windows-talk';
    expect(await linesOf({ containerTag })).toEqual(around);
    expect(await linesOf({ containerTag, onlyMatchingChunks: false })).toEqual(around);
    expect(await linesOf({ containerTag, onlyMatchingChunks: true })).toEqual([talk[AT]]);
    const shown = async (more: object) => {
      const [hit] = await documents('lighthouse', {
        ...{ containerTag, searchMode: 'keyword', chunkThreshold: best },
        ...more,
      });
      return hit?.chunks.map(({ content }) => content);
    };
    const best = (await documents('lighthouse', { containerTag, searchMode: 'keyword' }))[0]?.score ?? 0;
    expect(await shown({})).toEqual([talk[AT]]);
    expect(await shown({ onlyMatchingChunks: false })).toEqual(around);
    expect(await shown({ window: 1 })).toEqual(talk.slice(AT - 1, AT + 2));
  },
);

verifies('search:window:merged', 'windows that touch are one, and nothing is shown twice', async () => {
  const found = await memories('lighthouse blankets', { ...asked, containerTag: 'windows-talk', limit: 10 });
  expect(found).toHaveLength(1);
  expect(lines(found[0])).toEqual(talk.slice(-lines(found[0]).length));
  expect(lines(found[0]).length).toBeGreaterThanOrEqual(talk.slice(AT - 2).length);
  const alone = await memories('lighthouse blankets', {
    ...asked,
    containerTag: 'windows-talk',
    limit: 10,
    window: 0,
  });
  expect(alone.length).toBeGreaterThan(1);
});

verifies('search:window:merged', 'a window ends at 1,200 characters, and a hit is never cut', async () => {
  const found = await memories('lighthouse', { ...asked, containerTag: 'long talk', limit: 10, window: 5 });
  expect(found.length).toBeGreaterThan(1);
  for (const { chunk = '' } of found) expect(chunk.length).toBeLessThan(1_300);
  const shown = found.flatMap(lines);
  expect(new Set(shown).size).toBe(shown.length);
  const [piece] = await memories('Egret', { ...asked, containerTag: 'windows-log' });
  expect(piece?.chunk).toBe(pieces[2]);
});

verifies('search:window:dates', 'the day stands above what was said on it', async () => {
  const said = talk.slice(AT - 1, AT + 2);
  expect(await linesOf({ containerTag: 'dated' })).toEqual(['Sunday 7 May 2023', ...said]);
  expect(await linesOf({ containerTag: 'dated', window: 0 })).toEqual([talk[AT]]);
});

verifies('search:window:match', 'the hit itself is told, with its place in the document', async () => {
  const [turn] = await memories('lighthouse', { ...asked, containerTag: 'windows-talk' });
  expect(turn?.match).toEqual({ text: talk[AT], position: AT });
  const [piece] = await memories('Plover', {
    ...{ ...asked, containerTag: 'windows-log' },
    include: { chunks: true },
  });
  expect(piece?.match).toEqual({ text: pieces[3], position: 3 });
  expect(piece?.chunks).toEqual([expect.objectContaining({ content: pieces[3], position: 3 })]);
});
