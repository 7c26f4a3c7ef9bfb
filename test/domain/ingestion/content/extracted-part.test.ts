// Tests of storing an extracted file or address, and of the places of its passages after cutting.
import { describe, expect, test } from 'vitest';
import type { ContentPart, ReadContent } from '../../../../server/adapters/extract/port.ts';
import type { WebVideo } from '../../../../server/adapters/fetch/port.ts';
import type { Reading } from '../../../../server/adapters/store/ports/ingestion/layout.ts';
import { chunk } from '../../../../server/domain/ingestion/chunking/chunk.ts';
import {
  joinParts,
  type Part,
  splitParts,
} from '../../../../server/domain/ingestion/content/content-parts.ts';
import {
  type Origin,
  partOfContent,
  partOfVideo,
} from '../../../../server/domain/ingestion/content/extracted-part.ts';
import { parseReading } from '../../../../server/domain/ingestion/content/parse-extracted.ts';

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

describe('the text of an extraction', () => {
  test('separates pages by blank lines, and lines and speech by line ends', () => {
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

  test('is restored from the store with every place', () => {
    const part = partFrom(PAGES, { title: 'Trees', note: 'Page 3 is empty.' });
    const { content, layout } = joinParts([part]);
    expect(splitParts(content, JSON.parse(JSON.stringify(layout)))).toEqual([part]);
  });

  test('follows a text that came under the same customId', () => {
    const part = partFrom(PAGES);
    const text: Part = { kind: 'text', looks: 'text', content: 'A note.' };
    const { content, layout } = joinParts([text, part]);
    expect(splitParts(content, layout).map((one) => one.content)).toEqual(['A note.', part.content]);
  });
});

describe('the metadata of an extraction', () => {
  test('are short facts: empty ones are left out, long ones are cut, and broken characters are replaced', () => {
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

  test('contain its date of publication, if it states one', () => {
    expect(readingOf(partFrom([], { metadata: { published: '2024-03-01' } })).date).toBe(
      Date.UTC(2024, 2, 1),
    );
    expect(readingOf(partFrom([], { metadata: { published: 'soon' } })).date).toBeUndefined();
  });

  test('contain its name, except for pages of the web, whose addresses say little', () => {
    expect(readingOf(partFrom([], {}, { name: 'plan' })).name).toBe('plan');
    const page = { kind: 'html', type: 'webpage' } as const;
    expect(readingOf(partFrom([], page, { from: 'web', name: 'index' })).name).toBeUndefined();
    expect(readingOf(partFrom([], page, { from: 'file', name: 'saved' })).name).toBe('saved');
  });
});

describe('the places of passages', () => {
  test('are found again in the chunks', () => {
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

  test('name the heading of a page above those of its text, and one that it repeats once', () => {
    const slides = ['Oaks', 'Trees'].map((title, at) => ({
      ...{ text: `# ${title}\n\nThey grow slowly.`, slide: at + 1, heading: 'Trees' },
    }));
    expect(draftsOf(partFrom(slides, { form: 'markdown', kind: 'pptx' })).map(({ title }) => title)).toEqual([
      'Trees > Oaks',
      'Trees',
    ]);
  });

  test('in rows name the sheet', () => {
    const rows = [2, 3].map((row) => ({ text: `name: Ada ${row}`, sheet: 'People', row }));
    expect(draftsOf(partFrom(rows, { form: 'lines', kind: 'xlsx' })).map(({ metadata }) => metadata)).toEqual(
      [
        { sheet: 'People', row: 2 },
        { sheet: 'People', row: 3 },
      ],
    );
  });

  test('in speech run together as long as one person speaks, from the first second to the last', () => {
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

  test('do not exist in an extraction without places, and a chat that was saved as a file is a chat', () => {
    const text = 'Ann: I moved to Berlin!\nBen: When was that?\nAnn: In May, with my sister.';
    const part = partFrom([{ text }], { kind: 'text', type: 'text', mimeType: 'text/plain' });
    expect(parseReading(part.content, readingOf(part), {}).kind).toBe('conversation');
  });

  test('the title is the given one, the one of the extraction, or the name of the file', () => {
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

  test('is its speech with times', () => {
    const part = video({ lines: [{ text: 'Jays forget.', startTime: 3, endTime: 5 }] });
    expect(part.content).toBe('Jays forget.');
    expect(readingOf(part)).toMatchObject({
      ...{ type: 'video', title: 'Jays', facts: { author: 'Ada', description: 'About jays.' } },
      passages: [{ length: 12, place: { startTime: 3, endTime: 5 } }],
    });
  });

  test('is its title and description when it has no transcript', () => {
    const part = video({ note: 'There is no transcript.' });
    expect(part.content).toBe('Jays\n\nAbout jays.');
    expect(readingOf(part)).toMatchObject({ note: 'There is no transcript.', facts: { author: 'Ada' } });
  });
});
