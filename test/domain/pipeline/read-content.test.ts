// What is kept of a file or an address that was read, and what becomes of its places when it is cut.
import { describe, expect, test } from 'vitest';
import type { ContentPart, ReadContent } from '../../../server/adapters/extract/port.ts';
import type { WebVideo } from '../../../server/adapters/fetch/port.ts';
import type { Reading } from '../../../server/adapters/store/ingest-port.ts';
import { chunk } from '../../../server/domain/pipeline/chunk.ts';
import { parseReading } from '../../../server/domain/pipeline/parse-reading.ts';
import { joinParts, type Part, partsOf } from '../../../server/domain/pipeline/parts.ts';
import { type Origin, partOfContent, partOfVideo } from '../../../server/domain/pipeline/read-content.ts';

const head = (more: Partial<ReadContent> = {}) => ({
  ...{ type: 'pdf', kind: 'pdf', mimeType: 'application/pdf', form: 'prose', characters: 0 },
  ...more,
});

const partFrom = (
  parts: ContentPart[],
  more: Partial<ReadContent> = {},
  origin: Partial<Origin> = {},
): Part => partOfContent(head(more) as ReadContent, parts, { from: 'file', ...origin });

const readingOf = ({ reading }: Part): Reading => {
  if (reading === undefined) throw new Error('It was not read.');
  return reading;
};

const draftsOf = (part: Part) => chunk(parseReading(part.content, readingOf(part), {}));

const PAGES: ContentPart[] = [
  { text: 'Oaks drop their acorns in October.', page: 1, heading: 'Trees > Oaks' },
  { text: 'Jays bury them, and forget ', page: 2 },
  { text: 'some of them.', page: 2, continues: true },
];

describe('the text of what was read', () => {
  test('sets pages apart, and puts lines and speech close together', () => {
    expect(partFrom(PAGES).content).toBe(
      'Oaks drop their acorns in October.\n\nJays bury them, and forget some of them.',
    );
    const rows = [
      { text: 'a: 1', sheet: 'S', row: 2 },
      { text: 'a: 2', sheet: 'S', row: 3 },
    ];
    expect(partFrom(rows, { form: 'lines' }).content).toBe('a: 1\na: 2');
    const said = [
      { text: 'Hello.', startTime: 0 },
      { text: 'Bye.', startTime: 2 },
    ];
    expect(partFrom(said).content).toBe('Hello.\nBye.');
  });

  test('comes back from the store as it was, with every place', () => {
    const part = partFrom(PAGES, { title: 'Trees', note: 'Page 3 is empty.' });
    const { content, layout } = joinParts([part]);
    expect(partsOf(content, JSON.parse(JSON.stringify(layout)))).toEqual([part]);
  });

  test('stands behind a text that came under the same name', () => {
    const part = partFrom(PAGES);
    const text: Part = { kind: 'text', looks: 'text', content: 'A note.' };
    const { content, layout } = joinParts([text, part]);
    expect(partsOf(content, layout).map((one) => one.content)).toEqual(['A note.', part.content]);
  });
});

describe('what is noted about it', () => {
  test('are short facts: what is empty is left out, what is long is cut, and what is broken is mended', () => {
    const metadata = {
      author: ' Ada ',
      site: '  ',
      description: 'x'.repeat(600),
      broken: 'a\ud800',
      pages: 3,
    };
    expect(readingOf(partFrom([], { metadata })).facts).toEqual({
      ...{ author: 'Ada', description: 'x'.repeat(500), broken: 'a\ufffd', pages: 3 },
    });
  });

  test('is when it was published, where it says so', () => {
    expect(readingOf(partFrom([], { metadata: { published: '2024-03-01' } })).date).toBe(
      Date.UTC(2024, 2, 1),
    );
    expect(readingOf(partFrom([], { metadata: { published: 'soon' } })).date).toBeUndefined();
  });

  test('is its name, but for pages of the web, whose addresses say little', () => {
    expect(readingOf(partFrom([], {}, { name: 'plan' })).name).toBe('plan');
    const page = { kind: 'html', type: 'webpage' } as const;
    expect(readingOf(partFrom([], page, { from: 'web', name: 'index' })).name).toBeUndefined();
    expect(readingOf(partFrom([], page, { from: 'file', name: 'saved' })).name).toBe('saved');
  });
});

describe('the places of passages', () => {
  test('go with them into what is found', () => {
    const drafts = draftsOf(partFrom(PAGES));
    expect(drafts.map(({ text, metadata }) => [text, metadata])).toEqual([
      [expect.stringContaining('acorns'), { page: 1, heading: 'Trees > Oaks' }],
      ['Jays bury them, and forget some of them.', { page: 2 }],
    ]);
  });

  test('of a long page are the same in each of its pieces', () => {
    const long = Array.from({ length: 60 }, (_, at) => `Sentence ${at} speaks of jays and of oaks.`).join(
      ' ',
    );
    const drafts = draftsOf(partFrom([{ text: long, page: 7 }]));
    expect(drafts.length).toBeGreaterThan(1);
    expect(new Set(drafts.map(({ metadata }) => metadata?.page))).toEqual(new Set([7]));
  });

  test('of rows name the sheet', () => {
    const rows = [2, 3].map((row) => ({ text: `name: Ada ${row}`, sheet: 'People', row }));
    expect(draftsOf(partFrom(rows, { form: 'lines', kind: 'xlsx' })).map(({ metadata }) => metadata)).toEqual(
      [
        { sheet: 'People', row: 2 },
        { sheet: 'People', row: 3 },
      ],
    );
  });

  test('of speech run together as long as one person speaks, from the first second to the last', () => {
    const said = Array.from({ length: 6 }, (_, at) => ({
      ...{ text: `Line ${at} about jays.`, startTime: at * 4, endTime: at * 4 + 4 },
      speaker: at < 4 ? 'Ada' : 'Ben',
    }));
    const places = draftsOf(partFrom(said)).map(({ speaker, metadata }) => [speaker, metadata]);
    expect(places).toEqual([
      ['Ada', expect.objectContaining({ startTime: 0, endTime: 16 })],
      ['Ben', expect.objectContaining({ startTime: 16, endTime: 24 })],
    ]);
  });

  test('are none where it has none: a chat that was saved as a file is a chat', () => {
    const text = 'Ann: I moved to Berlin!\nBen: When was that?\nAnn: In May, with my sister.';
    const part = partFrom([{ text }], { kind: 'text', type: 'text', mimeType: 'text/plain' });
    expect(parseReading(part.content, readingOf(part), {}).kind).toBe('conversation');
  });

  test('the title is the one that was given, its own, or its name', () => {
    const titles = (more: Partial<ReadContent>, hints: object) =>
      parseReading('x', readingOf(partFrom([{ text: 'x', page: 1 }], more, { name: 'file' })), hints).title;
    expect(titles({}, { title: 'Given' })).toBe('Given');
    expect(titles({}, {})).toBe('file');
  });
});

describe('a video', () => {
  const video = (more: Partial<WebVideo>): Part =>
    partOfVideo({
      ...{ what: 'video', url: 'https://video.example/1', title: 'Jays', description: 'About jays.' },
      ...{ metadata: { author: 'Ada' }, lines: [] },
      ...more,
    });

  test('is what is said in it, with times', () => {
    const part = video({ lines: [{ text: 'Jays forget.', startTime: 3, endTime: 5 }] });
    expect(part.content).toBe('Jays forget.');
    expect(readingOf(part)).toMatchObject({
      ...{ type: 'video', title: 'Jays', facts: { author: 'Ada', description: 'About jays.' } },
      passages: [{ length: 12, place: { startTime: 3, endTime: 5 } }],
    });
  });

  test('is its title and description where nobody wrote down what is said', () => {
    const part = video({ note: 'There is no transcript.' });
    expect(part.content).toBe('Jays\n\nAbout jays.');
    expect(readingOf(part)).toMatchObject({ note: 'There is no transcript.', facts: { author: 'Ada' } });
  });
});
