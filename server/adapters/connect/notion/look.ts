// A look at a workspace: what was edited since the last look, by search and by the query of each data source.
import { z } from 'zod';
import type { LookPage, Seen, SourceJson, SourceTools } from '../port.ts';
import { SourceError } from '../source-error.ts';
import {
  askNotion,
  isDataSource,
  isInTrash,
  isNotionPage,
  LISTED,
  type NotionList,
  type NotionNames,
  type NotionPage,
  notionTitle,
} from './api.ts';
import { pageMetadata, pageRelations } from './properties.ts';

/** Search lags behind edits and shares. */
const OVERLAP_MS = 60 * 60_000;
const PAGE = 100;
const MINUTE_MS = 60_000;
const MOST_SOURCES = 1_200;

const CURSOR = z.object({
  version: z.literal(1),
  /** The newest edit that earlier looks have shown, in milliseconds; null: there was no look. */
  since: z.number().nullable(),
  /** The newest edit of this look. */
  newest: z.number().nullable(),
  /** The data sources that are known. */
  sources: z.array(z.string()),
  /** The data source whose rows come next; -1: the search is not at its end. */
  at: z.int(),
  next: z.string().nullable(),
});
type Cursor = z.output<typeof CURSOR>;

const FIRST: Cursor = { version: 1, since: null, newest: null, sources: [], at: -1, next: null };

interface NotionLook {
  readonly tools: SourceTools;
  readonly names: NotionNames;
  readonly signal: AbortSignal;
}

/** Times are cut to the minute, so a page that was edited in this minute may change again under the same time. */
const editMark = (edited: number, now: number): string =>
  now - edited < 2 * MINUTE_MS ? `${edited}+` : String(edited);

const seenNotionPage = async ({ tools, names, signal }: NotionLook, page: NotionPage): Promise<Seen> => {
  const title = notionTitle(page) || 'Untitled';
  names.note('page', page.id, title);
  const edited = Date.parse(page.last_edited_time);
  const source = page.parent.data_source_id;
  const database = source === undefined ? null : await names.dataSource(source, signal);
  return {
    ...{ id: page.id, kind: isInTrash(page) ? 'gone' : 'file', mark: editMark(edited, tools.now()) },
    face: {
      ...{ title, url: page.url, type: 'notion_doc', editedAt: edited },
      metadata: { ...pageMetadata(page), ...(database ? { database } : {}) },
    },
    how: { relations: pageRelations(page) },
  };
};

interface Step {
  readonly seen: Seen[];
  readonly sources: string[];
  readonly newest: number | null;
  /** The listing has nothing that is newer than what is known. */
  readonly isDone: boolean;
}

const readListed = async (look: NotionLook, listed: NotionList, until: number | null): Promise<Step> => {
  const seen: Seen[] = [];
  for (const one of listed.results)
    if (isDataSource(one) && !isInTrash(one))
      look.names.note('data_source', one.id, one.title.map(({ plain_text }) => plain_text).join(''));
  const pages = listed.results.filter(isNotionPage);
  const edits = pages.map(({ last_edited_time }) => Date.parse(last_edited_time));
  for (const [i, page] of pages.entries())
    if (until === null || (edits[i] ?? 0) >= until) seen.push(await seenNotionPage(look, page));
  const oldest = edits.at(-1);
  return {
    seen,
    sources: listed.results.filter((one) => isDataSource(one) && !isInTrash(one)).map(({ id }) => id),
    newest: edits.length === 0 ? null : Math.max(...edits),
    isDone:
      !listed.has_more ||
      listed.next_cursor === null ||
      (until !== null && oldest !== undefined && oldest < until),
  };
};

const askSearch = ({ tools, signal }: NotionLook, next: string | null): Promise<NotionList | null> =>
  askNotion(tools, '/v1/search', {
    ...{ shape: LISTED, what: 'a list of pages', template: '/v1/search', signal },
    body: {
      ...{ page_size: PAGE, sort: { timestamp: 'last_edited_time', direction: 'descending' } },
      ...(next === null ? {} : { start_cursor: next }),
    },
    // A place in a listing that has ended.
    missing: next === null ? [] : [400],
  });

const askRows = (
  { tools, signal }: NotionLook,
  source: string,
  { next, until }: { next: string | null; until: number | null },
): Promise<NotionList | null> =>
  askNotion(tools, `/v1/data_sources/${source}/query`, {
    ...{ shape: LISTED, what: 'the rows of a data source', template: '/v1/data_sources/{id}/query', signal },
    body: {
      ...{ page_size: PAGE, sorts: [{ timestamp: 'last_edited_time', direction: 'descending' }] },
      ...(until === null
        ? {}
        : {
            filter: {
              timestamp: 'last_edited_time',
              last_edited_time: { on_or_after: new Date(until).toISOString() },
            },
          }),
      ...(next === null ? {} : { start_cursor: next }),
    },
    missing: [400, 403, 404],
  });

const later = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

const repeatedPage = (): SourceError =>
  new SourceError('bad_answer', 'Notion repeats a page of its list.', {
    syncGoesOn: 'It is listed again at the next look.',
  });

/** The place after a step. */
const advanced = (cursor: Cursor, step: Step | null, next: string | null): Cursor => {
  const sources = [...new Set([...cursor.sources, ...(step?.sources ?? [])])].slice(0, MOST_SOURCES);
  const newest = later(cursor.newest, step?.newest ?? null);
  if (step !== null && !step.isDone && next !== null) return { ...cursor, sources, newest, next };
  return { ...cursor, sources, newest, at: cursor.at + 1, next: null };
};

export async function* lookAtWorkspace(look: NotionLook, stored: SourceJson): AsyncGenerator<LookPage> {
  const parsed = CURSOR.safeParse(stored);
  let cursor = parsed.success ? parsed.data : FIRST;
  const until = cursor.since === null ? null : cursor.since - OVERLAP_MS;
  while (cursor.at < cursor.sources.length) {
    const { at, next } = cursor;
    const source = cursor.sources[at];
    const listed =
      source === undefined ? await askSearch(look, next) : await askRows(look, source, { next, until });
    if (listed === null && next !== null) {
      cursor = { ...cursor, next: null };
      continue;
    }
    if (listed !== null && next !== null && listed.next_cursor === next) throw repeatedPage();
    const step = listed === null ? null : await readListed(look, listed, until);
    cursor = advanced(cursor, step, listed?.next_cursor ?? null);
    if (listed === null && source !== undefined)
      cursor = { ...cursor, at, sources: cursor.sources.filter((one) => one !== source) };
    const isEnd = cursor.at >= cursor.sources.length;
    yield {
      items: step?.seen ?? [],
      cursor: isEnd ? endedLook(cursor) : cursor,
      ...(isEnd ? { end: 'delta' } : {}),
    };
  }
}

const endedLook = (cursor: Cursor): Cursor => ({
  ...cursor,
  ...{ since: later(cursor.since, cursor.newest), newest: null, at: -1, next: null },
});
