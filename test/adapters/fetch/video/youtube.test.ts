import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WebVideo } from '../../../../server/adapters/fetch/port.ts';
import { createWeb } from '../../../../server/adapters/fetch/web.ts';
import { CLASSIC, serveVideoSite, standInsFor, usualState, type VideoSite } from '../youtube.ts';

let site: VideoSite;
const folder = mkdtempSync(join(tmpdir(), 'memoir-web-'));
beforeAll(async () => {
  site = await serveVideoSite();
});
beforeEach(() => {
  site.state = usualState();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const read = async (address = 'https://youtu.be/dQw4w9WgXcQ?t=3'): Promise<WebVideo> => {
  const web = createWeb({ folder, userAgent: 'test', seams: { standIns: standInsFor(site) } });
  try {
    const found = await web.open(address, new AbortController().signal);
    if (found.what !== 'video') throw new Error('This is no video.');
    return found;
  } finally {
    await web.close();
  }
};

const said = [
  { text: 'We speak of herons', startTime: 1.5, endTime: 3.5 },
  { text: 'and & of "egrets"', startTime: 62, endTime: 63.8 },
];

describe('the transcript of a video', () => {
  test('has its times in seconds, and the video its title, author, date and address', async () => {
    expect(await read()).toEqual({
      what: 'video',
      url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      title: 'Herons "at" dawn',
      description: 'Two hours at the pond {with} "braces" and \\ signs.',
      metadata: {
        site: 'YouTube',
        canonicalUrl: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
        author: 'The Bird Channel',
        published: '2025-04-01',
        duration: 7200,
      },
      lines: said,
    });
  });

  test('has the same times in the older form, which counts in seconds', async () => {
    site.state.captions = CLASSIC;
    expect((await read()).lines).toEqual([said[0], { ...said[1], text: 'and of egrets' }]);
  });

  test('is read from the page when the site refuses the data of the player', async () => {
    site.state.player = false;
    const { lines, title, description } = await read();
    expect(lines).toEqual(said);
    expect([title, description]).toEqual([
      'Herons "at" dawn',
      'Two hours at the pond {with} "braces" and \\ signs.',
    ]);
  });

  test('is read although it has numbers of characters that do not exist', async () => {
    site.state.captions = CLASSIC.replace('herons', 'herons &#x999999; &#99999999; &#x41;');
    expect((await read()).lines[0]?.text).toBe('We speak of herons \ufffd \ufffd A');
  });

  test.each([
    ['passages that never end', `<p t="1" d="2">`.repeat(400_000)],
    ['marks that never end', `<p t="1" d="2">${'<s'.repeat(1_500_000)}</p>`],
    ['nothing but openings', '<'.repeat(3_000_000)],
  ])('is read in bounded time with %s', async (_what, captions) => {
    site.state.captions = captions;
    expect((await read()).title).toBe('Herons "at" dawn');
  });
});

describe('without a transcript', () => {
  const noTranscript: [string, Partial<VideoSite['state']>][] = [
    ['there is none', { captionsAt: null }],
    ['it comes empty', { captions: '' }],
    ['it is refused', { captionsStatus: 403 }],
    ['too many were asked for', { captionsStatus: 429 }],
    ['it stands elsewhere', { captionsAt: 'http://169.254.169.254/latest/meta-data' }],
    ['its address is no address', { captionsAt: 'no address' }],
  ];
  test.each(noTranscript)(
    'where %s, title and description are kept and a note says so',
    async (_what, state) => {
      Object.assign(site.state, state);
      const video = await read();
      expect(video).toMatchObject({ lines: [], title: 'Herons "at" dawn' });
      expect(video.description).toMatch(/pond/);
      expect(video.note).toMatch(/No transcript was given.*title and description are kept/);
    },
  );

  test('the title and description are read from the head of the page', async () => {
    Object.assign(site.state, { captionsAt: null, player: false, page: 'head only' });
    expect(await read()).toMatchObject({ title: 'Herons & egrets', description: 'At the pond.', lines: [] });
  });

  const failing: [string, Partial<VideoSite['state']>, string, boolean][] = [
    ['a video that is gone', { player: false, page: 'gone' }, 'video_unavailable', false],
    ['a site that wants a captcha', { player: false, page: 'captcha' }, 'rate_limited', true],
    ['a site that wants fewer requests', { status: 429 }, 'rate_limited', true],
    ['a site that is down', { status: 503 }, 'http_503', true],
    ['captions that are down', { captionsStatus: 502 }, 'http_502', true],
    ['a video without anything', { captionsAt: null, details: null }, 'transcript_unavailable', false],
  ];
  test.each(failing)('%s fails with its own code', async (_what, state, code, retryable) => {
    Object.assign(site.state, state);
    await expect(read()).rejects.toMatchObject({ code, retryable });
  });
});
