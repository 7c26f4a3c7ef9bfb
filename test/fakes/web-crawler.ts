// A web site on loopback: pages with links, robots.txt, sitemaps, conditional requests, and an endless calendar.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  startFakeServer,
} from './support/fake-server.ts';

export interface FakePage {
  readonly status?: number;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FakeSite {
  readonly origin: string;
  readonly host: string;
  readonly server: FakeServer;
  /** By path, with the query if it has one. */
  readonly pages: Map<string, FakePage>;
  /** The largest number of requests that were under way at once. */
  readonly mostAtOnce: () => number;
  robots(text: string | FakePage): void;
  /** Whether pages have an ETag and answer 304. */
  answersConditions(does: boolean): void;
  /** `/calendar?month=1` leads to the next month, for ever. */
  addCalendar(): void;
  close(): Promise<void>;
}

export const page = (title: string, links: readonly string[], text = `This is ${title}.`): FakePage => ({
  html: `<!doctype html><html><head><title>${title}</title><meta name="nonce" content="NONCE"></head><body><h1>${title}</h1><p>${text} It has a few sentences, so that there is something to read. They are the same at every visit.</p>${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</body></html>`,
});

/** `lastmod` of each page in the order of the list, where it is given. */
export const sitemap = (addresses: readonly string[], { packed = false, changed = '' } = {}): FakePage => {
  const date = changed === '' ? '' : `<lastmod>${changed}</lastmod>`;
  const urls = addresses.map((address) => `<url><loc>${address.replaceAll('&', '&amp;')}</loc>${date}</url>`);
  const xml = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`;
  return packed
    ? { html: gzipSync(xml).toString('base64'), headers: { 'x-packed': 'yes' } }
    : { html: xml, headers: { 'content-type': 'application/xml' } };
};

export const sitemapIndex = (addresses: readonly string[]): FakePage => ({
  html: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses.map((address) => `<sitemap><loc>${address}</loc></sitemap>`).join('')}</sitemapindex>`,
  headers: { 'content-type': 'application/xml' },
});

interface SiteState {
  readonly pages: Map<string, FakePage>;
  robots: FakePage;
  conditions: boolean;
  calendar: boolean;
  visits: number;
}

const calendarPage = (url: URL): FakePage => {
  const month = Number(url.searchParams.get('month') ?? 1);
  return page(`Month ${month}`, [`/calendar?month=${month + 1}`, `/calendar?month=${month + 1}&view=week`]);
};

const findPage = (state: SiteState, { url }: FakeRequest): FakePage | undefined => {
  if (url.pathname === '/robots.txt') return state.robots;
  if (state.calendar && url.pathname === '/calendar') return calendarPage(url);
  return state.pages.get(url.pathname + url.search);
};

const answerPage = (state: SiteState, request: FakeRequest): FakeAnswer => {
  const found = findPage(state, request);
  if (found === undefined) return { status: 404, body: '<html><body>Not found</body></html>' };
  const { status = 200, html = '', headers = {} } = found;
  const etag = `"${createHash('sha1').update(html).digest('hex').slice(0, 12)}"`;
  if (state.conditions && status === 200 && request.headers['if-none-match'] === etag)
    return { status: 304, headers: { etag } };
  state.visits += 1;
  const { 'x-packed': packed, ...others } = headers;
  const body =
    packed === undefined ? html.replace('NONCE', String(state.visits)) : Buffer.from(html, 'base64');
  return {
    ...{ status, body },
    headers: {
      'content-type': packed === undefined ? 'text/html; charset=utf-8' : 'application/gzip',
      ...(state.conditions && status === 200 ? { etag } : {}),
      ...others,
    },
  };
};

export const startFakeSite = async (): Promise<FakeSite> => {
  const state: SiteState = {
    ...{ pages: new Map(), robots: { status: 404 }, conditions: true, calendar: false, visits: 0 },
  };
  let [atOnce, most] = [0, 0];
  const server = await startFakeServer(async (request) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    // Others that were sent meanwhile arrive before this one is answered.
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    return answerPage(state, request);
  });
  return {
    ...{ origin: server.origin, host: new URL(server.origin).host, server, pages: state.pages },
    mostAtOnce: () => most,
    robots(text) {
      state.robots =
        typeof text === 'string' ? { html: text, headers: { 'content-type': 'text/plain' } } : text;
    },
    answersConditions(does) {
      state.conditions = does;
    },
    addCalendar() {
      state.calendar = true;
    },
    close: server.close,
  };
};
