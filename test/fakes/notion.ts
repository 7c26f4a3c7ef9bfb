// Notion on loopback: pages with blocks and properties, data sources with rows, search, and Markdown that leaves parts out.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { PageObjectResponse } from '@notionhq/client';
import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  startFakeServer,
} from './support/fake-server.ts';
import { createHookCalls, type HookCalls } from './support/hook-calls.ts';

export interface FakeBlock {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  readonly children: readonly FakeBlock[];
}

export interface FakeNotionPage {
  readonly id: string;
  title: string;
  blocks: readonly FakeBlock[];
  properties: Record<string, PageObjectResponse['properties'][string]>;
  edited: number;
  isTrashed: boolean;
  /** Shared with the connection. */
  isShared: boolean;
  /** Search does not show it. */
  isUnlisted: boolean;
  readonly source: string | null;
}

export interface FakeNotion {
  readonly server: FakeServer;
  readonly token: string;
  readonly pages: Map<string, FakeNotionPage>;
  addPage(title: string, text: string | readonly FakeBlock[], more?: Partial<FakeNotionPage>): FakeNotionPage;
  edit(page: FakeNotionPage, change: Partial<FakeNotionPage>): void;
  addDataSource(title: string): string;
  /** Markdown holds so many blocks; the ids of others are named as unknown. */
  cutMarkdownAt(blocks: number): void;
  /** `at` is the time of the next edits, in milliseconds. */
  setTime(at: number): void;
  forgetPlaces(): void;
  readonly hookCalls: HookCalls;
  /** As a person does in the settings of the integration: the first call brings the token to be pasted. */
  subscribe(url: string): Promise<void>;
  /** False: it is not the token that was sent. */
  verify(token: string): boolean;
  revoke(): void;
  close(): Promise<void>;
}

export const block = (text: string, children: readonly FakeBlock[] = [], type = 'paragraph'): FakeBlock => ({
  ...{ id: randomUUID(), type, text, children },
});

export const blocksOf = (text: string): FakeBlock[] => text.split('\n').map((line) => block(line));

/** Blocks that Notion does not write as Markdown; their children are read one by one. */
const UNWRITTEN = new Set(['synced_block', 'template']);
const ILLEGAL = '-illegal-';

interface NotionState {
  readonly hookCalls: HookCalls;
  subscription: { url: string; token: string; verified: boolean } | null;
  readonly token: { value: string };
  readonly pages: Map<string, FakeNotionPage>;
  readonly sources: Map<string, string>;
  readonly blocks: Map<string, FakeBlock>;
  readonly pageSize: number;
  markdownLimit: number;
  /** Of places in listings; others are refused. */
  generation: number;
  time: number;
}

const problem = (status: number, code: string, message: string): FakeAnswer => ({
  status,
  body: { object: 'error', status, code, message, request_id: randomUUID() },
});
const absent = (id: string): FakeAnswer =>
  problem(
    404,
    'object_not_found',
    `Could not find page with ID: ${id}. Make sure the relevant pages and databases are shared with your integration.`,
  );

const richText = (text: string) => [
  { type: 'text', text: { content: text, link: null }, plain_text: text, href: null, annotations: {} },
];

/** Times are cut to the minute. */
const notionTime = (time: number): string => new Date(Math.floor(time / 60_000) * 60_000).toISOString();

const pageBody = (page: FakeNotionPage) => ({
  ...{ object: 'page' as const, id: page.id, url: `https://www.notion.so/${page.id.replaceAll('-', '')}` },
  ...{ created_time: notionTime(page.edited), last_edited_time: notionTime(page.edited) },
  ...{ in_trash: page.isTrashed, archived: page.isTrashed, icon: null, cover: null, public_url: null },
  parent:
    page.source === null
      ? { type: 'workspace' as const, workspace: true as const }
      : { type: 'data_source_id' as const, data_source_id: page.source, database_id: page.source },
  properties: {
    Name: { id: 'title', type: 'title' as const, title: richText(page.title) },
    ...page.properties,
  },
});

const sourceBody = (state: NotionState, id: string) => ({
  ...{ object: 'data_source' as const, id, title: richText(state.sources.get(id) ?? ''), in_trash: false },
  ...{ archived: false, last_edited_time: notionTime(0), parent: { type: 'database_id', database_id: id } },
});

const listPage = (
  state: NotionState,
  rows: readonly object[],
  { start_cursor: place, page_size: size = 100 }: { start_cursor?: string; page_size?: number },
): FakeAnswer => {
  const [generation, from = 0] = place === undefined ? [state.generation] : place.split(':').map(Number);
  if (generation !== state.generation)
    return problem(400, 'validation_error', 'body failed validation: start_cursor is invalid.');
  const end = from + Math.min(size, state.pageSize);
  const hasMore = end < rows.length;
  return {
    body: {
      ...{ object: 'list', results: rows.slice(from, end), has_more: hasMore },
      ...{ next_cursor: hasMore ? `${state.generation}:${end}` : null, type: 'page_or_data_source' },
      page_or_data_source: {},
    },
  };
};

const byEdit = (a: FakeNotionPage, b: FakeNotionPage): number => b.edited - a.edited;
const isVisible = ({ isShared }: FakeNotionPage): boolean => isShared;

const search = (state: NotionState, { body }: FakeRequest): FakeAnswer => {
  const pages = [...state.pages.values()]
    .filter((page) => isVisible(page) && !page.isUnlisted && !page.isTrashed)
    .sort(byEdit);
  const sources = [...state.sources.keys()].map((id) => sourceBody(state, id));
  return listPage(state, [...pages.map(pageBody), ...sources], JSON.parse(body));
};

const queryRows = (state: NotionState, source: string, { body }: FakeRequest): FakeAnswer => {
  if (!state.sources.has(source)) return absent(source);
  const asked = JSON.parse(body) as {
    start_cursor?: string;
    filter?: { last_edited_time: { on_or_after: string } };
  };
  const since = asked.filter === undefined ? 0 : Date.parse(asked.filter.last_edited_time.on_or_after);
  const rows = [...state.pages.values()]
    .filter((page) => page.source === source && isVisible(page) && !page.isTrashed)
    .filter(({ edited }) => Math.floor(edited / 60_000) * 60_000 >= since)
    .sort(byEdit);
  return listPage(state, rows.map(pageBody), asked);
};

/** Each reading signs the addresses of files anew. */
const signedText = (text: string): string =>
  text.replaceAll(
    'SIGNATURE',
    `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=${randomBytes(16).toString('hex')}`,
  );

const markdownOf = (
  state: NotionState,
  blocks: readonly FakeBlock[],
): { lines: string[]; unknown: string[] } => {
  const [lines, unknown]: [string[], string[]] = [[], []];
  const write = (list: readonly FakeBlock[], depth: number): void => {
    for (const one of list) {
      if (UNWRITTEN.has(one.type) || lines.length >= state.markdownLimit) {
        unknown.push(one.id);
        lines.push(
          `<unknown url="https://www.notion.so/x#${one.id.replaceAll('-', '')}" alt="${one.type}"/>`,
        );
        continue;
      }
      lines.push(`${'\t'.repeat(depth)}${signedText(one.text)}`);
      write(one.children, depth + 1);
    }
  };
  write(blocks, 0);
  return { lines, unknown };
};

const markdown = (state: NotionState, id: string): FakeAnswer => {
  const page = state.pages.get(id);
  if (page !== undefined && !isVisible(page)) return absent(id);
  const found = state.blocks.get(id);
  if (page === undefined && (found === undefined || UNWRITTEN.has(found.type))) return absent(id);
  const { lines, unknown } = markdownOf(state, page?.blocks ?? (found === undefined ? [] : [found]));
  return {
    body: {
      ...{ object: 'page_markdown', id, markdown: lines.join('\n'), truncated: unknown.length > 0 },
      unknown_block_ids: unknown,
    },
  };
};

const blockBody = ({ id, type, text, children }: FakeBlock) => ({
  ...{ object: 'block', id, type, has_children: children.length > 0 },
  [type]: { rich_text: richText(signedText(text)) },
});

const blockChildren = (state: NotionState, id: string, url: URL): FakeAnswer => {
  const blocks = state.pages.get(id)?.blocks ?? state.blocks.get(id)?.children;
  if (blocks === undefined) return absent(id);
  const place = url.searchParams.get('start_cursor');
  return listPage(state, blocks.map(blockBody), {
    ...(place === null ? {} : { start_cursor: place }),
    page_size: Number(url.searchParams.get('page_size') ?? 100),
  });
};

const route = (state: NotionState, request: FakeRequest): FakeAnswer => {
  const { url, headers, method } = request;
  if (headers.authorization !== `Bearer ${state.token.value}`)
    return problem(401, 'unauthorized', 'API token is invalid.');
  if (headers['notion-version'] === undefined)
    return problem(400, 'missing_version', 'Notion-Version header failed validation.');
  const [, , kind = '', id = ILLEGAL, part = ''] = url.pathname.split('/');
  const where = `${method} ${kind}${part === '' ? '' : `/${part}`}`;
  if (where === 'POST search') return search(state, request);
  if (where === 'POST data_sources/query') return queryRows(state, id, request);
  if (where === 'GET data_sources')
    return state.sources.has(id) ? { body: sourceBody(state, id) } : absent(id);
  if (where === 'GET pages/markdown') return markdown(state, id);
  if (where === 'GET blocks/children') return blockChildren(state, id, url);
  if (where === 'GET users')
    return {
      body: {
        ...{ object: 'user', id: 'bot-1', type: 'bot', name: 'Memoir', avatar_url: null },
        bot: {
          owner: { type: 'user', user: { object: 'user', id: 'u-1', person: { email: 'ann@example.org' } } },
          workspace_name: 'Ann',
        },
      },
    };
  const page = state.pages.get(id);
  if (where !== 'GET pages' || page === undefined || !isVisible(page)) return absent(id);
  return { body: pageBody(page) };
};

const noteBlocks = (state: NotionState, blocks: readonly FakeBlock[]): void => {
  for (const one of blocks) {
    state.blocks.set(one.id, one);
    noteBlocks(state, one.children);
  }
};

const callSubscriber = ({ hookCalls, subscription }: NotionState, payload: object, secret: string | null) => {
  const body = JSON.stringify(payload);
  const signature =
    secret === null
      ? {}
      : { 'x-notion-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
  return hookCalls.call({
    address: subscription?.url ?? '',
    headers: { 'content-type': 'application/json', ...signature },
    body,
  });
};

/** Events come after the subscription was verified. */
const tellSubscriber = async (state: NotionState, type: string, id: string): Promise<void> => {
  if (state.subscription?.verified !== true) return;
  const event = {
    id: randomUUID(),
    type,
    workspace_id: 'w-1',
    entity: { id, type: 'page' },
    attempt_number: 1,
  };
  await callSubscriber(state, event, state.subscription.token);
};

const createSubscription = (state: NotionState): Pick<FakeNotion, 'subscribe' | 'verify'> => ({
  async subscribe(url) {
    const token = `secret_${randomBytes(24).toString('base64url')}`;
    state.subscription = { url, token, verified: false };
    await callSubscriber(state, { verification_token: token }, null);
  },
  verify(token) {
    if (state.subscription?.token !== token) return false;
    state.subscription.verified = true;
    return true;
  },
});

export const startFakeNotion = async ({ pageSize = 100 } = {}): Promise<FakeNotion> => {
  const token = `ntn_${randomBytes(12).toString('hex')}`;
  const state: NotionState = {
    ...{ token: { value: token }, pages: new Map(), sources: new Map(), blocks: new Map(), pageSize },
    ...{ markdownLimit: 100_000, generation: 1, time: Date.now() - 24 * 60 * 60_000 },
    ...{ hookCalls: createHookCalls(), subscription: null },
  };
  const server = await startFakeServer((request) => route(state, request));
  return {
    ...{ server, token, pages: state.pages, hookCalls: state.hookCalls, close: server.close },
    ...createSubscription(state),
    addPage(title, text, more = {}) {
      const page: FakeNotionPage = {
        ...{ id: randomUUID(), title, properties: {}, edited: state.time, source: null },
        ...{ isTrashed: false, isShared: true, isUnlisted: false },
        blocks: typeof text === 'string' ? blocksOf(text) : text,
        ...more,
      };
      state.pages.set(page.id, page);
      noteBlocks(state, page.blocks);
      void tellSubscriber(state, 'page.created', page.id);
      return page;
    },
    edit(page, change) {
      Object.assign(page, { edited: state.time, ...change });
      noteBlocks(state, page.blocks);
      void tellSubscriber(state, 'page.content_updated', page.id);
    },
    addDataSource(title) {
      const id = randomUUID();
      state.sources.set(id, title);
      return id;
    },
    cutMarkdownAt(blocks) {
      state.markdownLimit = blocks;
    },
    setTime(at) {
      state.time = at;
    },
    forgetPlaces() {
      state.generation += 1;
    },
    revoke() {
      state.token.value = 'another';
    },
  };
};
