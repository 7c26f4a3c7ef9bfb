// Tests of combining all submissions of a document: texts, pages and unreadable content.
import { describe, expect, it, test } from 'vitest';
import type { ReadJob } from '../../../../server/adapters/extract/port.ts';
import type { Claim } from '../../../../server/adapters/store/ports/ingestion/claims.ts';
import { IngestError } from '../../../../server/core/errors.ts';
import {
  type CombinedSubmissions,
  combineSubmissions,
} from '../../../../server/domain/ingestion/content/combine-submissions.ts';
import {
  joinParts,
  splitParts,
  textPart,
} from '../../../../server/domain/ingestion/content/content-parts.ts';
import { createPartReader } from '../../../../server/domain/ingestion/content/part-reader.ts';
import { contentOf, readersOf } from '../fixtures/readers.ts';

/** Takes the tags off; "<i>" is a page that shows nothing, "<b>" one whose reading crashes. Addresses lead nowhere. */
const openReaders = () => {
  const jobs: ReadJob[] = [];
  const readers = readersOf({
    async read(job) {
      jobs.push(job);
      const { text = '' } = job;
      if (text.startsWith('<i>')) throw new IngestError('no_text_found', 'No text was found.');
      if (text.startsWith('<b>'))
        throw new IngestError('extraction_failed', 'It crashed.', { retryable: true });
      return contentOf(text.replaceAll(/<[^>]+>/g, ''));
    },
    open: async () => {
      throw new IngestError('dns_failed', 'There is no such host.');
    },
  });
  return { readers, jobs };
};

interface Sent {
  content: string;
  mode?: 'merge' | 'replace';
}

/** A document that was made by the first and got the others since. */
const claimOf = (sent: readonly (string | Sent)[], more: Partial<Claim> = {}): Claim => {
  const all = sent.map((one): Sent => (typeof one === 'string' ? { content: one } : one));
  const replaced = all.findLast(({ mode }) => mode === 'replace') ?? all[0];
  const content = replaced?.content ?? '';
  const submissions = all
    .slice(1)
    .map(({ content: text, mode = 'merge' }, i) => ({ n: i + 1, mode, content: text }));
  return {
    ...{ n: 1, id: 'd', container: 1, tagNumbers: [1], type: 'text', title: null, layout: null, url: null },
    ...{ filepath: null, metadata: null, revision: 1, lease: 'l', attempts: 0, createdAt: 0, chunks: [] },
    chunkSize: null,
    sentBy: null,
    given: null,
    more: false,
    file: null,
    notedMetadata: {},
    content,
    submissions,
    ...more,
  };
};

const CHUNK = {
  ...{ n: 1, id: 'c', position: 0, part: 0, flags: 0, inputHash: 'h', bodyTokens: 1, messageTokens: 1 },
  place: null,
};

const combined = async (claim: Claim, lastTry = false) => {
  const { readers, jobs } = openReaders();
  const { signal } = new AbortController();
  const reader = createPartReader({
    readers,
    signal,
    lastTry,
    progress: () => undefined,
    owner: { tag: '1', key: null },
  });
  return { ...(await combineSubmissions(claim, reader)), jobs };
};

const contents = ({ parts }: CombinedSubmissions) => parts.map(({ content }) => content);
const decided = ({ decisions }: CombinedSubmissions) => decisions.map(({ decision }) => decision);

const EMPTY = '<i></i>';
const URL = 'https://example.com/page';
const page = (...sentences: string[]) => `<p>${sentences.join(' ')}</p>`;
const HERONS = ['Herons wait by the lake.', 'They strike when a fish comes near.', 'They seldom miss it.'];
const KETTLES = ['Kettles whistle when they boil.', 'The tea is ready then.'];

describe('unreadable content', () => {
  const rows: [string, sent: string[], left: string[], decisions: string[]][] = [
    ['gives way to a text', [URL, 'The text.'], ['The text.'], ['replaced']],
    ['gives way to a page', [URL, page('A page.')], [page('A page.')], ['replaced']],
    ['gives way to another of its kind', [URL, EMPTY], [EMPTY], ['unreadable']],
    ['gives way when it is a page without text', ['<i></i>', 'Its text.'], ['Its text.'], ['replaced']],
    [
      'is left out between texts',
      ['user: One.', EMPTY, 'user: Two.'],
      ['user: One.\nuser: Two.'],
      ['unreadable', 'appended'],
    ],
    ['is left out behind a text', ['One.', URL], ['One.'], ['unreadable']],
    ['is left out behind a page', [page('One.'), EMPTY], [page('One.')], ['unreadable']],
    [
      'is replaced by all that comes later',
      [URL, EMPTY, 'user: One.', 'user: Two.'],
      ['user: One.\nuser: Two.'],
      ['unreadable', 'replaced', 'appended'],
    ],
  ];
  test.each(rows)('%s', async (_name, sent, left, decisions) => {
    const found = await combined(claimOf(sent));
    expect([contents(found), decided(found)]).toEqual([left, decisions]);
    expect(found.trouble ?? found.refused).toEqual(
      decisions.at(-1) === 'unreadable' ? expect.any(IngestError) : null,
    );
  });

  it('is named in a note when it is left out, and not when it is replaced', async () => {
    const notes = async (sent: string[]) =>
      (await combined(claimOf(sent))).decisions.map(({ leftOut }) => leftOut);
    expect(await notes(['One.', ` ${URL}\n`, EMPTY, 'Two.'])).toEqual([
      `${URL} could not be read and was left out: There is no such host.`,
      'Something that was sent later could not be read and was left out: No text was found.',
      undefined,
    ]);
    expect(await notes([URL, EMPTY, 'One.'])).toEqual([undefined, undefined]);
  });

  it('is reported until a later submission can be read, and the report says that earlier content is kept', async () => {
    const last = await combined(claimOf(['One.', EMPTY]));
    expect(last.trouble).toBeNull();
    expect(last.refused).toMatchObject({
      code: 'no_text_found',
      message: expect.stringMatching(/^No text was found\. .* is kept\.$/),
    });
    const alone = await combined(claimOf([EMPTY]));
    expect(alone.trouble?.message).not.toMatch(/kept/);
    for (const later of ['Two.', 'One.'])
      expect(await combined(claimOf(['One.', EMPTY, later]))).toMatchObject({
        trouble: null,
        refused: null,
      });
  });

  it('is retried after a temporary failure, and skipped after the last attempt', async () => {
    const crashing = claimOf(['One.', '<b></b>', 'Two.']);
    await expect(combined(crashing)).rejects.toMatchObject({ code: 'extraction_failed' });
    const left = await combined(crashing, true);
    expect([contents(left), decided(left)]).toEqual([['One.\nTwo.'], ['unreadable', 'appended']]);
  });

  it('fails without being skipped when it was read before, and its text is kept', async () => {
    for (const failing of ['<b></b>', '<i></i>']) {
      const { parts, trouble } = await combined(claimOf([failing, 'More.'], { chunks: [CHUNK] }));
      expect(parts.map(({ kind }) => kind)).toEqual(['html', 'text']);
      expect(trouble).toBeNull();
    }
  });
});

describe('an address', () => {
  it('stays the address of the text that replaces it, and of the page that is read', async () => {
    const found = await combined(claimOf([URL, page('A page.')], { url: URL, type: 'webpage' }));
    expect(found.url).toBe(URL);
    expect(found.jobs).toEqual([{ kind: 'html', text: page('A page.'), url: URL }]);
  });

  it('is the last one that was sent', async () => {
    const found = await combined(
      claimOf([URL, ' https://example.com/other ', 'Its text.'], { url: URL, type: 'webpage' }),
    );
    expect([contents(found), found.url]).toEqual([['Its text.'], 'https://example.com/other']);
  });
});

describe('a replacement', () => {
  it('replaces the earlier content even if it repeats it', async () => {
    const found = await combined(claimOf(['A.', 'Lost.', { content: 'B.', mode: 'replace' }, 'More.']));
    expect(contents(found)).toEqual(['B.\nMore.']);
    expect(decided(found)).toEqual(['replaced', 'replaced', 'appended']);
  });

  it('is the whole content though it cannot be read, until another submission replaces it', async () => {
    const replaced = claimOf(['A.', { content: EMPTY, mode: 'replace' }], { chunks: [CHUNK] });
    const found = await combined(replaced);
    expect([contents(found), decided(found)]).toEqual([[EMPTY], ['unreadable']]);
    expect(found.trouble).toMatchObject({ code: 'no_text_found' });
    const mended = await combined(claimOf(['A.', { content: EMPTY, mode: 'replace' }, 'B.']));
    expect([contents(mended), decided(mended)]).toEqual([['B.'], ['unreadable', 'replaced']]);
  });
});

describe('pages and texts', () => {
  const [herons, kettles] = [page(...HERONS), page(...KETTLES)];
  const rows: [string, sent: string[], left: string[], decisions: string[]][] = [
    ['a text behind a page', [herons, 'A note.'], [herons, 'A note.'], ['appended']],
    ['a page behind a text', ['A note.', herons], ['A note.', herons], ['appended']],
    ['another page behind a page', [herons, kettles], [herons, kettles], ['appended']],
    ['the same page', ['A note.', herons, herons], ['A note.', herons], ['appended', 'superset']],
    [
      'a page that grew, behind others',
      [herons, kettles, page(...HERONS, 'They nest in trees.')],
      [page(...HERONS, 'They nest in trees.'), kettles],
      ['appended', 'superset'],
    ],
    [
      'a page that was edited',
      [herons, page(...HERONS.slice(0, 2), 'They often miss it.')],
      [page(...HERONS.slice(0, 2), 'They often miss it.')],
      ['replaced'],
    ],
    [
      'one page that says what two said',
      [herons, 'A note.', kettles, page(...HERONS, ...KETTLES)],
      [page(...HERONS, ...KETTLES), 'A note.'],
      ['appended', 'appended', 'superset'],
    ],
    [
      'the end of a page',
      [page(...HERONS, ...HERONS, ...KETTLES), kettles],
      [page(...HERONS, ...HERONS, ...KETTLES)],
      ['identical'],
    ],
    [
      'a conversation that goes on behind a page',
      ['user: One.', herons, 'user: Two.', 'user: One.\nuser: Two.\nuser: Three.'],
      ['user: One.\nuser: Two.\nuser: Three.', herons],
      ['appended', 'appended', 'superset'],
    ],
    ['nothing', [herons, ' \n'], [herons], ['identical']],
  ];
  test.each(rows)('are combined correctly: %s', async (_name, sent, left, decisions) => {
    const found = await combined(claimOf(sent));
    expect([contents(found), decided(found)]).toEqual([left, decisions]);
  });

  it('are stored one behind the other, and can be separated again', async () => {
    const { parts } = await combined(claimOf(['A note.\r\n', herons, kettles]));
    const { content, layout } = joinParts(parts);
    expect(content).toBe(`A note.\r\n\n\n${herons}\n\n${kettles}`);
    expect(splitParts(content, layout)).toEqual(parts);
    const again = await combined({ ...claimOf([content, 'Another.']), layout });
    expect(contents(again)).toEqual(['A note.\r\nAnother.', herons, kettles]);
  });

  it('need no stored layout when they stand alone', () => {
    for (const content of ['A note.', herons, URL])
      expect(joinParts(splitParts(content, null))).toEqual({ content, layout: null });
    const joined = textPart('<p>Reads like a page.</p>');
    expect(joinParts([joined])).toEqual({ content: joined.content, layout: [{ kind: 'text', length: 25 }] });
  });

  it('are read again only when their text is needed', async () => {
    const known = { chunks: [CHUNK], layout: [{ kind: 'html' as const, length: herons.length }] };
    expect((await combined(claimOf([herons, 'A note.'], known))).jobs).toEqual([]);
    expect((await combined(claimOf([herons, kettles], known))).jobs).toHaveLength(2);
  });
});
