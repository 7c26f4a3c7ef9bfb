// Reads one page: what its answer means, whether it changed, and where it leads.
import { z } from 'zod';
import { IngestError } from '../../../core/errors.ts';
import { decodeText } from '../../../lib/text/charset.ts';
import type { Face, PageLinks, ReadItem, Seen, SourceAnswer, Taken } from '../port.ts';
import { SourceError } from '../source-error.ts';
import { nothingToStore } from '../taken.ts';
import { isCrawled, pageAddress } from './addresses.ts';
import { type Crawl, foundPages, PAGE_HOW, type PageHow, REDIRECTS } from './crawl.ts';
import type { SiteRules } from './robots.ts';

const MOST_PAGE_BYTES = 10 * 1024 * 1024;
const PERMANENT = new Set([301, 308]);
const MOST_CANONICAL_HOPS = 5;

/** The notes of a reading about a page, so that the next one can ask whether it changed. */
const MARK = z.object({
  etag: z.string().nullable(),
  changed: z.string().nullable(),
  text: z.string(),
  /** The page was not found at the last reading. */
  missing: z.boolean(),
});
type Mark = z.output<typeof MARK>;

const storedMark = (takenMark: string | null): Mark | null => {
  if (takenMark === null || takenMark === '') return null;
  const parsed = MARK.safeParse(JSON.parse(takenMark));
  return parsed.success ? parsed.data : null;
};

const writtenMark = (mark: Mark): string => JSON.stringify(mark);

/** A page that was read once stays until it is missing at two crawls. */
const missingPage = (
  known: Mark | null,
  reason: { code: string; message: string },
  found: readonly Seen[] = [],
): Taken =>
  known === null || known.missing
    ? nothingToStore(reason.code, reason.message, found)
    : {
        ...{ content: 'unchanged', mark: writtenMark({ ...known, missing: true }) },
        ...(found.length === 0 ? {} : { found }),
      };

const stays = (known: Mark | null, code: string, message: string): Taken =>
  known === null ? nothingToStore(code, message) : { content: 'unchanged' };

interface PageVisit {
  readonly crawl: Crawl;
  readonly site: SiteRules;
  readonly item: ReadItem;
  readonly how: PageHow;
  readonly known: Mark | null;
  readonly signal: AbortSignal;
}

const readRedirect = (visit: PageVisit, { status, headers, url }: SourceAnswer): Taken => {
  const { crawl, site, item, how, known } = visit;
  const target = pageAddress(headers.location ?? '', new URL(url));
  const message = `${item.id} leads to ${target?.href ?? 'no address'}.`;
  if (target === null || target.host !== crawl.rules.start.host)
    return stays(known, 'redirect', `${message} Other sites are not read.`);
  const found = foundPages(crawl, site, [target.href], how);
  if (PERMANENT.has(status)) return missingPage(known, { code: 'redirect', message }, found);
  return known === null ? nothingToStore('redirect', message, found) : { content: 'unchanged', found };
};

/** Null: the answer has a page. */
const readRefusal = (visit: PageVisit, answer: SourceAnswer): Taken | null => {
  const { item, known } = visit;
  const { status, headers } = answer;
  if (status === 304) return { content: 'unchanged' };
  if (REDIRECTS.includes(status)) return readRedirect(visit, answer);
  if (status === 410) return nothingToStore('gone', `${item.id} was removed (status 410).`);
  if (status === 404)
    return missingPage(known, { code: 'not_found', message: `${item.id} does not exist (status 404).` });
  if (status >= 400)
    return stays(known, 'no_access', `${item.id} cannot be read without a sign-in (status ${status}).`);
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? 'text/html';
  if (type !== 'text/html' && type !== 'application/xhtml+xml')
    return nothingToStore('type', `${item.id} is no page of HTML but ${type}.`);
  return null;
};

/** Null: the page is too large. */
const htmlOf = async (answer: SourceAnswer): Promise<string | null> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer.stream()) {
    bytes += piece.length;
    if (bytes > MOST_PAGE_BYTES) return null;
    pieces.push(piece);
  }
  const declared = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(answer.headers['content-type'] ?? '')?.[1];
  return decodeText(Buffer.concat(pieces), { html: true, ...(declared === undefined ? {} : { declared }) });
};

/** `X-Robots-Tag`: directives for everybody, or behind the name of an agent. */
const headerSays = (header: string | undefined, directive: string): boolean =>
  (header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().replace(/^memoir\s*:\s*/, ''))
    .some((part) => part === directive || part === 'none');

const changedTime = (header: string | null): number | null => {
  const time = Date.parse(header ?? '');
  return Number.isNaN(time) ? null : time;
};

/** Another address of the same page; null where that leads back to this one. */
const canonicalPage = ({ crawl, site, item, how }: PageVisit, page: PageLinks): Seen | null => {
  if (page.canonical === null) return null;
  const [found] = foundPages(crawl, site, [page.canonical], how);
  if (found === undefined) return null;
  for (let at: string | undefined = found.id, hops = 0; at !== undefined; at = crawl.joined.get(at), hops++)
    if (at === item.id || hops > MOST_CANONICAL_HOPS) return null;
  crawl.joined.set(item.id, found.id);
  return found;
};

/** Hostile HTML costs this page alone. */
const readLinks = async (
  { crawl, item }: PageVisit,
  text: string,
  signal: AbortSignal,
): Promise<PageLinks | Taken> => {
  try {
    return await crawl.tools.readLinks(text, item.id, signal);
  } catch (error) {
    if (!(error instanceof IngestError) || signal.aborted) throw error;
    if (error.retryable) throw new SourceError('provider_unavailable', error.message, { cause: error });
    return nothingToStore('unreadable', `${item.id} cannot be read: ${error.message}`);
  }
};

/** The facts that a reading tells besides title and text; a page that has not changed tells it from its mark. */
const knownFace = ({ face, how }: ReadItem, changed: string | null): Partial<Face> => {
  const editedAt = changedTime(changed);
  return {
    metadata: { ...face.metadata, depth: PAGE_HOW.parse(how).depth },
    ...(editedAt === null ? {} : { editedAt }),
  };
};

const readPageText = async (visit: PageVisit, answer: SourceAnswer, text: string): Promise<Taken> => {
  const { crawl, site, item, how, known, signal } = visit;
  const { headers } = answer;
  const page = await readLinks(visit, text, signal);
  if ('content' in page) return page;
  const isLeaf = page.noFollow || headerSays(headers['x-robots-tag'], 'nofollow');
  const found = isLeaf ? [] : foundPages(crawl, site, page.links, { depth: how.depth + 1 });
  if (page.noIndex || headerSays(headers['x-robots-tag'], 'noindex'))
    return nothingToStore('noindex', `${item.id} asks not to be stored (noindex).`, found);
  const canonical = canonicalPage(visit, page);
  if (canonical !== null)
    return nothingToStore('canonical', `${item.id} is another address of ${canonical.id}.`, [
      canonical,
      ...found,
    ]);
  const { etag = null, 'last-modified': changed = null } = headers;
  const mark = writtenMark({ etag, changed, text: page.textMark, missing: false });
  if (known?.text === page.textMark) return { content: 'unchanged', mark, found };
  return {
    ...{ content: 'text', text, mediaType: 'text/html', mark, found },
    face: { ...(page.title === null ? {} : { title: page.title }), ...knownFace(item, changed) },
  };
};

const visitPage = async (crawl: Crawl, item: ReadItem, signal: AbortSignal): Promise<Taken> => {
  const url = pageAddress(item.id, crawl.rules.start);
  const how = PAGE_HOW.parse(item.how);
  if (url === null || !isCrawled(url, crawl.rules) || how.depth > crawl.rules.maxDepth)
    return nothingToStore('excluded', `${item.id} is outside of what this connection reads.`);
  const site = await crawl.askRules(signal);
  if (!site.allows(item.id))
    return nothingToStore('robots', `The robots.txt of ${url.host} does not allow ${item.id}.`);
  crawl.hasRoom(url);
  const known = storedMark(item.takenMark);
  const visit: PageVisit = { crawl, site, item, how, known, signal };
  const answer = await crawl.get(
    item.id,
    {
      ...(known?.etag ? { 'if-none-match': known.etag } : {}),
      ...(known?.changed ? { 'if-modified-since': known.changed } : {}),
    },
    signal,
  );
  const refusal = readRefusal(visit, answer);
  if (refusal !== null) {
    answer.discard();
    return refusal;
  }
  const text = await htmlOf(answer);
  if (text === null) return nothingToStore('size', `${item.id} is larger than 10 MiB.`);
  return readPageText(visit, answer, text);
};

export const readCrawledPage = async (crawl: Crawl, item: ReadItem, signal: AbortSignal): Promise<Taken> => {
  const taken = await visitPage(crawl, item, signal);
  if (taken.content !== 'unchanged') return taken;
  const changed = storedMark(taken.mark ?? item.takenMark)?.changed ?? null;
  // The title of the page stays.
  return { ...taken, face: { ...knownFace(item, changed), title: '' } };
};
