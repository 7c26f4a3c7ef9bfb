// The requests and answers of Notion that a connection uses.
import { z } from 'zod';
import { answerAs } from '../answer-shape.ts';
import type { AskRequest, SourceTools } from '../port.ts';

export const NOTION = 'https://api.notion.com';
const HEADERS = { 'notion-version': '2025-09-03', 'content-type': 'application/json' };

export const RICH_TEXT = z.array(z.object({ plain_text: z.string() }));

export const plainText = (parts: z.output<typeof RICH_TEXT>): string =>
  parts.map(({ plain_text }) => plain_text).join('');

/** `in_trash` was called `archived` before. */
const TRASH = { in_trash: z.boolean().optional(), archived: z.boolean().optional() };

export const NOTION_PAGE = z.object({
  ...{ object: z.literal('page'), id: z.string(), url: z.string(), last_edited_time: z.string(), ...TRASH },
  parent: z.object({ type: z.string(), data_source_id: z.string().optional() }),
  properties: z.record(z.string(), z.object({ type: z.string() }).loose()),
});
export type NotionPage = z.output<typeof NOTION_PAGE>;

const DATA_SOURCE = z.object({
  ...{ object: z.literal('data_source'), id: z.string(), title: RICH_TEXT.default([]), ...TRASH },
});
type DataSource = z.output<typeof DATA_SOURCE>;

/** A thing that an account may see only in part has no fields besides its id. */
const PARTIAL = z.object({ object: z.string(), id: z.string() });

export const LISTED = z.object({
  results: z.array(z.union([NOTION_PAGE, DATA_SOURCE, PARTIAL])),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});
export type NotionList = z.output<typeof LISTED>;

export const isNotionPage = (one: NotionList['results'][number]): one is NotionPage => 'properties' in one;
export const isDataSource = (one: NotionList['results'][number]): one is DataSource =>
  one.object === 'data_source' && 'title' in one;

export const isInTrash = ({
  in_trash,
  archived,
}: {
  in_trash?: boolean | undefined;
  archived?: boolean | undefined;
}): boolean => in_trash === true || archived === true;

export interface NotionRequest<Shape extends z.ZodType> {
  readonly shape: Shape;
  readonly what: string;
  /** With placeholders for ids. */
  readonly template: string;
  readonly body?: object;
  /** Statuses whose answer is null. */
  readonly missing?: readonly number[];
  readonly signal: AbortSignal;
}

export const askNotion = async <Shape extends z.ZodType>(
  { ask }: Pick<SourceTools, 'ask'>,
  path: string,
  { shape, what, template, body, missing = [], signal }: NotionRequest<Shape>,
): Promise<z.output<Shape> | null> => {
  const request: AskRequest = {
    ...{ headers: HEADERS, template, accept: missing },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  };
  const answer = await ask(`${NOTION}${path}`, request, signal);
  if (answer.status < 400) return answerAs(answer, shape, what);
  answer.discard();
  return null;
};

export interface NotionNames {
  /** The title of a data source; null: it cannot be seen. */
  dataSource(id: string, signal: AbortSignal): Promise<string | null>;
  /** The title of a page; null: it cannot be seen. */
  page(id: string, signal: AbortSignal): Promise<string | null>;
  note(kind: 'data_source' | 'page', id: string, title: string): void;
}

export const notionTitle = ({ properties }: NotionPage): string => {
  for (const property of Object.values(properties)) {
    const title = property.type === 'title' ? RICH_TEXT.safeParse(property.title) : null;
    if (title?.success === true) return plainText(title.data).replace(/\s+/g, ' ').trim();
  }
  return '';
};

/** The names of a workspace, asked for once. What the listing showed already is known. */
export const createNotionNames = (tools: SourceTools): NotionNames => {
  const known = new Map<string, Promise<string | null>>();
  const once = (key: string, ask: () => Promise<string | null>): Promise<string | null> => {
    const name = known.get(key) ?? ask();
    known.set(key, name);
    name.catch(() => known.delete(key));
    return name;
  };
  const missing = [400, 403, 404];
  return {
    note: (kind, id, title) => void known.set(`${kind} ${id}`, Promise.resolve(title)),
    dataSource: (id, signal) =>
      once(`data_source ${id}`, async () => {
        const asked = { shape: DATA_SOURCE, what: 'a data source', template: '/v1/data_sources/{id}' };
        const found = await askNotion(tools, `/v1/data_sources/${id}`, { ...asked, missing, signal });
        return found === null ? null : plainText(found.title);
      }),
    page: (id, signal) =>
      once(`page ${id}`, async () => {
        const asked = { shape: NOTION_PAGE, what: 'a page', template: '/v1/pages/{id}' };
        const found = await askNotion(tools, `/v1/pages/${id}`, { ...asked, missing, signal });
        return found === null ? null : notionTitle(found);
      }),
  };
};
