// A stand-in for the video site: the three addresses that transcripts are had from.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve, type TestServer } from './web.ts';

export interface SiteState {
  /** The captions' address as the player's data name it; null: there are none. */
  captionsAt: string | null;
  captions: string;
  captionsStatus: number;
  /** False: the player's data are refused, so that the page itself has to be read. */
  player: boolean;
  page: 'video' | 'gone' | 'captcha' | 'head only';
  details: Record<string, unknown> | null;
  status: number;
}

export const NEWER = `<?xml version="1.0"?><timedtext format="3"><body>
<p t="1500" d="2000">We speak of herons</p>
<p t="62000" d="1800"><s>and &amp; of</s><s> &amp;quot;egrets&amp;quot;</s></p>
</body></timedtext>`;

export const CLASSIC = `<?xml version="1.0"?><transcript><text start="1.5" dur="2">We speak of herons</text><text start="62" dur="1.8">and of egrets</text></transcript>`;

export const DETAILS = {
  videoId: 'dQw4w9WgXcQ',
  title: 'Herons "at" dawn',
  author: 'The Bird Channel',
  shortDescription: 'Two hours at the pond {with} "braces" and \\ signs.',
  lengthSeconds: '7200',
};

export const usualState = (): SiteState => ({
  captionsAt: 'https://www.youtube.com/api/timedtext?v=dQw4w9WgXcQ&lang=en',
  captions: NEWER,
  captionsStatus: 200,
  player: true,
  page: 'video',
  details: DETAILS,
  status: 200,
});

const playerOf = ({ captionsAt, details }: SiteState) => ({
  playabilityStatus: { status: 'OK' },
  ...(details === null ? {} : { videoDetails: details }),
  microformat: { playerMicroformatRenderer: { publishDate: '2025-04-01' } },
  ...(captionsAt === null
    ? {}
    : {
        captions: {
          playerCaptionsTracklistRenderer: { captionTracks: [{ baseUrl: captionsAt, languageCode: 'en' }] },
        },
      }),
});

const pageOf = (state: SiteState): string => {
  if (state.page === 'gone') return '<html><body>This video is gone.</body></html>';
  if (state.page === 'captcha') return '<form><div class="g-recaptcha"></div></form>';
  if (state.page === 'head only')
    return '<html><head><meta property="og:title" content="Herons &amp; egrets"><meta property="og:description" content="At the pond."></head><script>x={"playabilityStatus":{}}</script></html>';
  return `<html><script>var ytInitialPlayerResponse = ${JSON.stringify(playerOf(state))};</script></html>`;
};

const answer = (state: SiteState, req: IncomingMessage, res: ServerResponse): void => {
  const url = req.url ?? '';
  if (state.status !== 200) return void res.writeHead(state.status).end();
  if (url.startsWith('/youtubei/')) {
    if (!state.player || req.method !== 'POST') return void res.writeHead(403).end('{}');
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(playerOf(state)));
  } else if (url.startsWith('/watch')) res.end(pageOf(state));
  else res.writeHead(state.captionsStatus, { 'content-type': 'text/xml' }).end(state.captions);
};

export interface VideoSite extends TestServer {
  state: SiteState;
}

export const serveVideoSite = async (): Promise<VideoSite> => {
  const site = { state: usualState() };
  const server = await serve('127.0.0.1', (req, res) => answer(site.state, req, res));
  return Object.assign(site, server);
};

export const standInsFor = ({ port }: TestServer): Record<string, string> => ({
  'https://www.youtube.com': `http://127.0.0.1:${port}`,
});
