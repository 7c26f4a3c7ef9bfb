// Microsoft Graph on loopback: drives with logs of changes, SharePoint sites, subscriptions, and a second host for contents.
import { createHash, randomUUID } from 'node:crypto';
import { createServer as createTlsServer } from 'node:https';
import type { DriveItem } from '@microsoft/microsoft-graph-types';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from './support/certificate.ts';
import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  startFakeServer,
} from './support/fake-server.ts';
import { createHookCalls, type HookCalls } from './support/hook-calls.ts';

const GRAPH = 'https://graph.microsoft.com';
const CONTENT_HOST = 'https://contoso.sharepoint.example';

export interface FakeDriveItem {
  readonly id: string;
  name: string;
  parent: string;
  content: Buffer | null;
  isDeleted: boolean;
  isForbidden: boolean;
  edited: string;
  /** Facets and fields that take the place of the usual ones. */
  more: Partial<DriveItem>;
}

export interface FakeOneDrive {
  readonly id: string;
  readonly name: string;
  readonly root: string;
  addFile(
    name: string,
    text: string | Buffer,
    more?: { parent?: string; facets?: Partial<DriveItem> },
  ): string;
  addFolder(name: string, parent?: string): string;
  edit(id: string, text: string): void;
  change(id: string, change: Partial<Pick<FakeDriveItem, 'name' | 'parent' | 'isForbidden' | 'more'>>): void;
  /** The feed names the item alone, not what lies below. */
  remove(id: string): void;
  restore(id: string): void;
  /** Sharing moves the eTag and puts the item into the feed. */
  share(id: string): void;
}

export interface FakeGraph {
  readonly server: FakeServer;
  readonly contents: FakeServer;
  readonly standIns: Readonly<Record<string, string>>;
  readonly own: FakeOneDrive;
  readonly subscriptions: Map<string, { resource: string; clientState: string; notificationUrl: string }>;
  readonly hookCalls: HookCalls;
  addSite(name: string): FakeOneDrive;
  forgetTokens(): void;
  /** The same service by https, for the official client. */
  openTls(): Promise<{ origin: string; close(): Promise<void> }>;
  close(): Promise<void>;
}

interface DriveState {
  readonly id: string;
  readonly name: string;
  readonly root: string;
  readonly site: string | null;
  readonly items: Map<string, FakeDriveItem>;
  /** The ids of changed items, oldest first. */
  readonly log: string[];
}

interface GraphState {
  readonly accepts: (token: string) => boolean;
  readonly drives: Map<string, DriveState>;
  readonly sites: Map<string, string>;
  readonly subscriptions: FakeGraph['subscriptions'];
  readonly hookCalls: HookCalls;
  readonly pageSize: number;
  generation: number;
}

const problem = (status: number, code: string): FakeAnswer => ({
  status,
  body: { error: { code, message: `Refused: ${code}`, innerError: {} } },
});
const absent = problem(404, 'itemNotFound');

const hashOf = (content: Buffer): string => createHash('sha1').update(content).digest('base64');

const contentFacets = ({ content }: FakeDriveItem): Partial<DriveItem> =>
  content === null
    ? { folder: { childCount: 0 }, size: 0 }
    : {
        size: content.length,
        file: { mimeType: 'text/markdown', hashes: { quickXorHash: hashOf(content) } },
      };

const itemBody = (drive: DriveState, item: FakeDriveItem): DriveItem => {
  if (item.isDeleted) return { id: item.id, deleted: { state: 'deleted' } };
  return {
    ...{ id: item.id, name: item.name, webUrl: `https://contoso.sharepoint.example/${item.id}` },
    ...{ cTag: `c:${item.edited}`, eTag: randomUUID(), lastModifiedDateTime: item.edited },
    lastModifiedBy: { user: { displayName: 'Ann' } },
    parentReference: { driveId: drive.id, id: item.parent },
    ...contentFacets(item),
    ...item.more,
  };
};

const rootBody = ({ root, id }: DriveState): DriveItem => ({
  ...{ id: root, name: 'root', root: {}, folder: { childCount: 0 }, parentReference: { driveId: id } },
});

/** Where a request goes on: changes from a place in the log, or a page of the whole listing. */
interface DeltaPlace {
  readonly generation: number;
  readonly from: number;
  readonly skip: number;
  readonly isWhole: boolean;
  readonly until: number;
}

const placeOf = (state: GraphState, drive: DriveState, token: string | null): DeltaPlace => {
  if (token === null || token === 'resync')
    return { generation: state.generation, from: 0, skip: 0, isWhole: true, until: drive.log.length };
  return JSON.parse(Buffer.from(token, 'base64url').toString());
};

const linkTo = (drive: DriveState, place: DeltaPlace): string =>
  `${GRAPH}/v1.0/drives/${drive.id}/root/delta?token=${Buffer.from(JSON.stringify(place)).toString('base64url')}`;

const listedItems = (drive: DriveState, { isWhole, from, until }: DeltaPlace): DriveItem[] => {
  if (isWhole)
    return [
      rootBody(drive),
      ...[...drive.items.values()].filter(({ isDeleted }) => !isDeleted).map((item) => itemBody(drive, item)),
    ];
  // Every change is an entry, so that an item may appear several times.
  return drive.log.slice(from, until).flatMap((id) => {
    const item = drive.items.get(id);
    return item === undefined ? [] : [itemBody(drive, item)];
  });
};

const delta = (state: GraphState, drive: DriveState, { url }: FakeRequest): FakeAnswer => {
  const place = placeOf(state, drive, url.searchParams.get('token'));
  if (place.generation !== state.generation)
    return {
      ...problem(410, 'resyncChangesApplyDifferences'),
      headers: { location: `${GRAPH}/v1.0/drives/${drive.id}/root/delta?token=resync` },
    };
  const items = listedItems(drive, place);
  const end = place.skip + state.pageSize;
  const { generation, until } = place;
  const links =
    end < items.length
      ? { '@odata.nextLink': linkTo(drive, { ...place, skip: end }) }
      : {
          '@odata.deltaLink': linkTo(drive, { generation, from: until, skip: 0, isWhole: false, until: -1 }),
        };
  return { body: { value: items.slice(place.skip, end), ...links } };
};

/** A place without an end reaches to the end of the log at the time of its use. */
const fixedPlace = (state: GraphState, drive: DriveState, request: FakeRequest): FakeRequest => {
  const token = request.url.searchParams.get('token');
  if (token === null || token === 'resync') return request;
  const place = placeOf(state, drive, token);
  if (place.until !== -1) return request;
  const url = new URL(linkTo(drive, { ...place, until: drive.log.length }));
  return { ...request, url };
};

const children = (drive: DriveState, parent: string): FakeAnswer => ({
  body: {
    value: [...drive.items.values()]
      .filter((item) => item.parent === parent && !item.isDeleted)
      .map((item) => itemBody(drive, item)),
  },
});

const content = (drive: DriveState, id: string, { url }: FakeRequest): FakeAnswer => {
  const item = drive.items.get(id);
  if (item === undefined || item.isDeleted) return absent;
  if (item.isForbidden) return problem(403, 'accessDenied');
  const format = url.searchParams.has('format') ? '&format=pdf' : '';
  return {
    status: 302,
    headers: { location: `${CONTENT_HOST}/download/${drive.id}/${id}?tempauth=signed${format}` },
  };
};

const answerDrive = (
  state: GraphState,
  drive: DriveState,
  rest: string,
  request: FakeRequest,
): FakeAnswer => {
  if (rest === '') return { body: { id: drive.id, name: drive.name, driveType: 'business' } };
  if (rest === 'root/delta') return delta(state, drive, fixedPlace(state, drive, request));
  if (rest === 'root/children') return children(drive, drive.root);
  if (rest.startsWith('root/search')) {
    const words = /q='([^']*)'/.exec(decodeURIComponent(rest))?.[1] ?? '';
    const found = [...drive.items.values()].filter(({ name }) => name.includes(words));
    return { body: { value: found.map((item) => itemBody(drive, item)) } };
  }
  const [, id = '', part = ''] = /^items\/([^/]+)(?:\/(.*))?$/.exec(rest) ?? [];
  if (part === 'content') return content(drive, id, request);
  if (part === 'children') return children(drive, id);
  const item = drive.items.get(id);
  return item === undefined ? absent : { body: itemBody(drive, item) };
};

const answerSites = (state: GraphState, rest: string, { url }: FakeRequest): FakeAnswer => {
  const words = url.searchParams.get('search');
  const sites = [...state.sites].map(([id, displayName]) => ({
    id,
    displayName,
    webUrl: `${CONTENT_HOST}/${id}`,
  }));
  if (words !== null)
    return {
      body: { value: sites.filter(({ displayName }) => words === '*' || displayName.includes(words)) },
    };
  const [id = '', part] = rest.split('/');
  if (part === 'drives')
    return {
      body: {
        value: [...state.drives.values()]
          .filter(({ site }) => site === id)
          .map(({ id, name }) => ({ id, name })),
      },
    };
  return { body: sites.find((site) => site.id === id) ?? {} };
};

const answerSubscriptions = async (
  state: GraphState,
  id: string,
  { method, body }: FakeRequest,
): Promise<FakeAnswer> => {
  if (method === 'DELETE') return state.subscriptions.delete(id) ? { status: 204 } : absent;
  const sent = JSON.parse(body);
  // An address that nothing leads to is no concern of the tests that do not look at deliveries.
  const token = `Validation: Testing client application reachability for subscription Request-Id: ${randomUUID()}`;
  const greeting = await state.hookCalls.call({
    address: `${sent.notificationUrl}?validationToken=${encodeURIComponent(token)}`,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
  const isAnswered = greeting.status === 200 && greeting.text === token && /^text\/plain/.test(greeting.type);
  if (greeting.status !== 0 && !isAnswered) return problem(400, 'ValidationError');
  const made = randomUUID();
  state.subscriptions.set(made, sent);
  return { status: 201, body: { ...sent, id: made } };
};

/** Of the drive in which something changed. */
const tellSubscribers = ({ subscriptions, hookCalls }: GraphState, drive: DriveState): void => {
  const isOwn = (resource: string): boolean =>
    drive.site === null && /^\/(?:me|users\/[^/]+)\/drive\/root$/.test(resource);
  for (const [subscriptionId, { resource, clientState, notificationUrl }] of subscriptions) {
    if (resource !== `/drives/${drive.id}/root` && !isOwn(resource)) continue;
    const told = { subscriptionId, clientState, resource, changeType: 'updated', tenantId: 'tenant-1' };
    void hookCalls.call({
      address: notificationUrl,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ value: [told] }),
    });
  }
};

const route = async (state: GraphState, own: string, request: FakeRequest): Promise<FakeAnswer> => {
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  if (!state.accepts(token)) return problem(401, 'InvalidAuthenticationToken');
  const path = decodeURIComponent(request.url.pathname.replace(/^\/v1\.0\//, '')).replace(
    /^(?:me|users\/[^/]+)\/drive/,
    `drives/${own}`,
  );
  if (path === 'me')
    return { body: { id: 'user-1', mail: 'ann@example.org', userPrincipalName: 'ann@example.org' } };
  const [, kind = '', id = '', rest = ''] = /^([^/]+)\/?([^/]*)\/?(.*)$/.exec(path) ?? [];
  if (kind === 'sites') return answerSites(state, `${id}${rest === '' ? '' : `/${rest}`}`, request);
  if (kind === 'subscriptions') return answerSubscriptions(state, id, request);
  const drive = kind === 'drives' ? state.drives.get(id) : undefined;
  return drive === undefined ? absent : answerDrive(state, drive, rest, request);
};

/** The pre-signed address is the permission. */
const answerContent = (state: GraphState, { url }: FakeRequest): FakeAnswer => {
  const [, , drive = '', id = ''] = url.pathname.split('/');
  const item = state.drives.get(drive)?.items.get(id);
  if (item?.content == null || url.searchParams.get('tempauth') !== 'signed') return { status: 403 };
  return { body: url.searchParams.has('format') ? Buffer.from('%PDF-1.7 converted') : item.content };
};

const createControls = (drive: DriveState, changed: () => void): FakeOneDrive => {
  let number = 0;
  const now = (): string => new Date(Date.UTC(2026, 10, 1, 0, 0, ++number)).toISOString();
  const put = (
    name: string,
    content: Buffer | null,
    parent: string,
    more: Partial<DriveItem> = {},
  ): string => {
    const id = `01${randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()}`;
    drive.items.set(id, {
      id,
      name,
      parent,
      content,
      more,
      isDeleted: false,
      isForbidden: false,
      edited: now(),
    });
    drive.log.push(id);
    changed();
    return id;
  };
  const update = (id: string, change: Partial<FakeDriveItem>): void => {
    Object.assign(drive.items.get(id) ?? {}, change);
    drive.log.push(id);
    changed();
  };
  return {
    ...{ id: drive.id, name: drive.name, root: drive.root },
    addFile: (name, text, { parent = drive.root, facets } = {}) =>
      put(name, Buffer.from(text), parent, facets),
    addFolder: (name, parent = drive.root) => put(name, null, parent),
    edit: (id, text) => update(id, { content: Buffer.from(text), edited: now() }),
    change: (id, change) => update(id, change),
    remove: (id) => update(id, { isDeleted: true }),
    restore: (id) => update(id, { isDeleted: false }),
    share: (id) => update(id, {}),
  };
};

const addDrive = (state: GraphState, name: string, site: string | null): FakeOneDrive => {
  const id = `b!${randomUUID().replaceAll('-', '')}`;
  const drive: DriveState = { id, name, site, root: `01ROOT${state.drives.size}`, items: new Map(), log: [] };
  state.drives.set(id, drive);
  return createControls(drive, () => tellSubscribers(state, drive));
};

export const startFakeGraph = async (
  accepts: (token: string) => boolean,
  { pageSize = 200 } = {},
): Promise<FakeGraph> => {
  const state: GraphState = {
    ...{ accepts, drives: new Map(), sites: new Map(), subscriptions: new Map(), pageSize, generation: 1 },
    hookCalls: createHookCalls(),
  };
  const own = addDrive(state, 'OneDrive', null);
  const answer = (request: FakeRequest): Promise<FakeAnswer> => route(state, own.id, request);
  const server = await startFakeServer(answer);
  const contents = await startFakeServer((request) => answerContent(state, request));
  return {
    ...{ server, contents, own, subscriptions: state.subscriptions, hookCalls: state.hookCalls },
    standIns: { [GRAPH]: server.origin, [CONTENT_HOST]: contents.origin },
    addSite(name) {
      const site = `contoso.sharepoint.example,${randomUUID()}`;
      state.sites.set(site, name);
      return addDrive(state, 'Documents', site);
    },
    forgetTokens() {
      state.generation += 1;
    },
    async openTls() {
      const tls = await startFakeServer(answer, (listener) =>
        createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, listener),
      );
      return { origin: tls.origin.replace('http:', 'https:'), close: tls.close };
    },
    async close() {
      await Promise.all([server.close(), contents.close()]);
    },
  };
};
