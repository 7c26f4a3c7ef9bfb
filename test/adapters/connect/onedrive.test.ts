// Tests of OneDrive and SharePoint as a source, over a fake that the official client drives too.
import { AuthenticationHandler, Client } from '@microsoft/microsoft-graph-client';
import { Agent, fetch, type RequestInit } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { onedrive } from '../../../server/adapters/connect/onedrive.ts';
import type { Choice, SourceValue } from '../../../server/adapters/connect/port.ts';
import { type FakeGraph, startFakeGraph } from '../../fakes/onedrive.ts';
import { TEST_CERTIFICATE } from '../../fakes/support/certificate.ts';
import { pathMatches, startFakeServer } from '../../fakes/support/fake-server.ts';
import { createFakeTokens } from '../../fakes/support/tokens.ts';
import { sizeOf } from '../../support/sizes.ts';
import { checkDelivery } from './check-delivery.ts';
import { sourceContract } from './contract.ts';
import { filesOf, follow, lookOnce, openFake, readFrom, textOf } from './open-source.ts';
import type { SourceFake } from './source-fake.ts';

const { signal } = new AbortController();
const DAY_MS = 24 * 60 * 60_000;

/** Faults hit Graph and the host of contents alike. */
const bothServers = ({ server, contents }: FakeGraph): SourceFake['server'] => ({
  requests: server.requests,
  addFault(fault) {
    const ends = [server.addFault(fault), contents.addFault(fault)];
    return () => {
      for (const end of ends) end();
    };
  },
});

const startContractFake = async (): Promise<SourceFake> => {
  const tokens = createFakeTokens();
  const graph = await startFakeGraph(tokens.accepts, { pageSize: 3 });
  const { own } = graph;
  const ids = new Map<string, string>();
  const idOf = (name: string): string => ids.get(name) ?? 'no such file';
  return {
    standIns: graph.standIns,
    tokens: tokens.tokens,
    grant: { metadata: { syncScope: 'full' }, secrets: {} },
    server: bothServers(graph),
    isListing: pathMatches(/\/delta$/),
    isReading: pathMatches(/^\/download\//),
    async put(name, text) {
      const known = ids.get(name);
      if (known === undefined) ids.set(name, own.addFile(name, text));
      else own.edit(known, text);
      return `${own.id}/${idOf(name)}`;
    },
    remove: async (name) => own.remove(idOf(name)),
    restore: async (name) => own.restore(idOf(name)),
    rename: async (name, to) => own.change(idOf(name), { name: to }),
    refuseCursor: graph.forgetTokens,
    expireToken: tokens.expire,
    forbid: (name) => own.change(idOf(name), { isForbidden: true }),
    makeTooLarge: (name) => own.change(idOf(name), { more: { size: 50 * 1024 * 1024 + 1 } }),
    repeatPages() {
      graph.server.addFault(async ({ url }, usual) => {
        if (!/\/delta$/.test(url.pathname)) return undefined;
        const answer = await usual();
        const address = `https://graph.microsoft.com${url.pathname}${url.search}`;
        return { ...answer, body: { ...(answer.body as object), '@odata.nextLink': address } };
      });
    },
    revoke: tokens.revoke,
    close: graph.close,
  };
};

sourceContract(onedrive, startContractFake);

interface OpenedDriveOptions {
  readonly metadata?: Record<string, SourceValue>;
  readonly choice?: (graph: FakeGraph) => Choice;
  readonly pageSize?: number;
}

const openDrive = async ({
  metadata = { syncScope: 'full' },
  choice = () => null,
  pageSize = 200,
}: OpenedDriveOptions = {}) => {
  const tokens = createFakeTokens();
  const graph = await startFakeGraph(tokens.accepts, { pageSize });
  const opened = openFake(onedrive, {
    ...{ standIns: graph.standIns, tokens: tokens.tokens },
    grant: { metadata, secrets: {} },
  });
  onTestFinished(async () => {
    await opened[Symbol.asyncDispose]();
    await graph.close();
  });
  const known = follow();
  return {
    ...{ graph, own: graph.own, opened, known, source: opened.source },
    look: () => lookOnce(opened, known, { choice: choice(graph) }),
    titles: () =>
      filesOf(known)
        .map(({ face }) => face.title)
        .sort(),
    item: (title: string) => {
      const found = [...known.items.values()].find(({ face }) => face.title === title);
      if (found === undefined) throw new Error(`The source did not show ${title}.`);
      return found;
    },
  };
};

describe('the fake of Microsoft Graph, driven by the official client', () => {
  test('lists changes by pages and tokens, children, sites and subscriptions', async () => {
    const tokens = createFakeTokens();
    const graph = await startFakeGraph(tokens.accepts, { pageSize: 2 });
    const tls = await graph.openTls();
    const dispatcher = new Agent({ connect: { ca: TEST_CERTIFICATE } });
    onTestFinished(async () => {
      await dispatcher.close();
      await Promise.all([tls.close(), graph.close()]);
    });
    for (const name of ['a.md', 'b.md']) graph.own.addFile(name, `Text of ${name}`);
    const site = graph.addSite('Plans');
    const client = Client.initWithMiddleware({
      ...{ baseUrl: `${tls.origin}/`, customHosts: new Set(['127.0.0.1']) },
      middleware: [
        new AuthenticationHandler({ getAccessToken: () => tokens.tokens.current(signal) }),
        {
          // The fetch of undici alone takes a connection that trusts the certificate.
          async execute(context) {
            const { request, options } = context;
            const sent = { ...options, dispatcher } as RequestInit;
            context.response = (await fetch(request as string, sent)) as unknown as globalThis.Response;
          },
        },
      ],
    });
    const first = await client.api(`/drives/${graph.own.id}/root/delta`).get();
    expect(first.value).toHaveLength(2);
    const next = new URL(first['@odata.nextLink']);
    const second = await client.api(next.pathname.replace('/v1.0', '') + next.search).get();
    expect(second.value).toHaveLength(1);
    expect(second['@odata.deltaLink']).toContain('/root/delta?token=');
    const { value: children } = await client.api('/me/drive/root/children').get();
    expect(children.map(({ name }: { name: string }) => name)).toEqual(['a.md', 'b.md']);
    const { value: sites } = await client.api('/sites').query({ search: 'Plans' }).get();
    const { value: drives } = await client.api(`/sites/${sites[0].id}/drives`).get();
    expect(drives).toEqual([{ id: site.id, name: 'Documents' }]);
    const subscriber = await startFakeServer(({ url }) => ({
      headers: { 'content-type': 'text/plain' },
      body: url.searchParams.get('validationToken') ?? '',
    }));
    onTestFinished(() => subscriber.close());
    graph.hookCalls.reach('https://memory.example', subscriber.origin);
    const subscription = {
      ...{ changeType: 'updated', resource: '/me/drive/root', clientState: 'planted' },
      notificationUrl: 'https://memory.example/hooks',
    };
    const made = await client.api('/subscriptions').post(subscription);
    await client.api(`/subscriptions/${made.id}`).delete();
    expect(graph.subscriptions.size).toBe(0);
  });
});

describe('a look at drives', () => {
  test('asks once where nothing changed, and shows folders with their parents', async () => {
    const { graph, own, look, item, known } = await openDrive();
    const folder = own.addFolder('Plans');
    own.addFile('a.md', 'One', { parent: folder });
    await look();
    expect(item('Plans')).toMatchObject({ kind: 'folder', parent: `${own.id}/root` });
    expect(item('a.md').parent).toBe(`${own.id}/${folder}`);
    expect(known.items.get(`${own.id}/root`)).toMatchObject({ kind: 'folder', face: { title: 'OneDrive' } });
    expect(item('a.md').face.metadata).toMatchObject({ driveName: 'OneDrive', lastModifiedBy: 'Ann' });
    graph.server.requests.length = 0;
    await look();
    expect(graph.server.requests).toHaveLength(1);
    own.remove(folder);
    await look();
    expect(known.items.has(`${own.id}/${folder}`)).toBe(false);
  });

  test('sharing changes no mark, and of several occurrences the last one counts', async () => {
    const { own, look, item, titles } = await openDrive();
    const id = own.addFile('a.md', 'One');
    await look();
    const { mark } = item('a.md');
    own.share(id);
    own.share(id);
    await look();
    expect(item('a.md').mark).toBe(mark);
    own.remove(id);
    own.restore(id);
    await look();
    expect(titles()).toEqual(['a.md']);
  });

  test('a lost log leads to a whole listing with the same marks, from the address that Microsoft names', async () => {
    const count = sizeOf({ small: 200, whole: 5_000 });
    const { graph, own, look, titles, known } = await openDrive({ pageSize: 50 });
    const ids = Array.from({ length: count }, (_, i) => own.addFile(`f${i}.md`, `Text ${i}`));
    await look();
    const marks = new Map(filesOf(known).map(({ id, mark }) => [id, mark]));
    graph.forgetTokens();
    own.remove(ids[0] ?? '');
    graph.contents.requests.length = 0;
    expect((await look()).ended).toBe('whole');
    expect(titles()).toHaveLength(count - 1);
    expect(filesOf(known).filter(({ id, mark }) => marks.get(id) !== mark)).toEqual([]);
    expect(graph.server.requests.some(({ url }) => url.searchParams.get('token') === 'resync')).toBe(true);
    expect(graph.contents.requests).toHaveLength(0);
  });

  test('lists everything once a week, because logs leave out what permissions hide', async () => {
    const { own, look, opened } = await openDrive();
    own.addFile('a.md', 'One');
    expect((await look()).ended).toBe('whole');
    expect((await look()).ended).toBe('delta');
    opened.pass(8 * DAY_MS);
    expect((await look()).ended).toBe('whole');
  });

  test.each(['@odata.nextLink', '@odata.deltaLink'])(
    'sends no token to a foreign host in %s',
    async (link) => {
      const foreign = await startFakeServer(() => ({ body: {} }));
      onTestFinished(foreign.close);
      const { graph, own, look } = await openDrive();
      own.addFile('a.md', 'One');
      graph.server.addFault(({ url }) =>
        url.pathname.endsWith('/delta')
          ? { body: { value: [], [link]: `${foreign.origin}/steal` } }
          : undefined,
      );
      await expect(look()).rejects.toThrow('to which the token is not sent');
      expect(foreign.requests).toHaveLength(0);
    },
  );

  test('skips notebooks, malware, empty files and foreign folders with their names', async () => {
    const { own, look, known, titles } = await openDrive();
    own.addFile('notes', 'x', { facets: { package: { type: 'oneNote' } } });
    own.addFile('bad.exe', 'x', { facets: { malware: { description: 'bad' } } });
    own.addFile('empty.md', '');
    own.addFile('Shared folder', 'x', { facets: { remoteItem: { id: 'r', folder: {} } } });
    await look();
    expect(titles()).toEqual([]);
    expect([...known.items.values()].flatMap(({ skip }) => skip ?? []).map(({ message }) => message)).toEqual(
      [
        'notes is a notebook or another package, which is not read.',
        'Microsoft found malware in bad.exe, so it is not read.',
        'empty.md is empty.',
        'Shared folder is a folder of another drive. Choose it there to read it.',
      ],
    );
  });

  test('reads the chosen drives alone, with the names of their sites', async () => {
    let plans: ReturnType<FakeGraph['addSite']> | undefined;
    const { graph, look, titles, item, own } = await openDrive({
      metadata: {},
      choice: () => [{ id: `${plans?.id}/root`, name: 'Documents', kind: 'drive', how: { site: 'Plans' } }],
    });
    plans = graph.addSite('Plans');
    graph.addSite('Other').addFile('other.md', 'Not chosen');
    own.addFile('own.md', 'Not chosen');
    plans.addFile('plan.md', 'Chosen');
    await look();
    expect(titles()).toEqual(['plan.md']);
    expect(item('plan.md').face.metadata).toMatchObject({ siteName: 'Plans', driveName: 'Documents' });
  });
});

describe('reading files', () => {
  test('the host of contents sees no token', async () => {
    const { graph, own, look, item, opened } = await openDrive();
    own.addFile('a.md', 'The text.');
    await look();
    expect(await textOf(await readFrom(opened, item('a.md')))).toBe('The text.');
    expect(graph.contents.requests).toHaveLength(1);
    expect(graph.contents.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('a shortcut is read in its own drive, and old formats as PDF', async () => {
    const { graph, own, look, item, opened } = await openDrive();
    const other = graph.addSite('Plans');
    const target = other.addFile('target.md', 'Of another drive.');
    own.addFile('shortcut.md', 'x', {
      facets: { remoteItem: { id: target, file: {}, size: 17, parentReference: { driveId: other.id } } },
    });
    own.addFile('slides.ppt', 'old');
    await look();
    expect(await textOf(await readFrom(opened, item('shortcut.md')))).toBe('Of another drive.');
    const slides = await readFrom(opened, item('slides.ppt'));
    expect(slides).toMatchObject({ name: 'slides.ppt.pdf', mediaType: 'application/pdf' });
    expect(await textOf(slides)).toContain('%PDF');
    expect(graph.contents.requests.at(-1)?.url.href).toContain('format=pdf');
  });
});

describe('what can be chosen', () => {
  test('is the own drive and the drives of sites, folder by folder', async () => {
    const { graph, own, source } = await openDrive({ metadata: {} });
    const plans = graph.addSite('Plans');
    const folder = plans.addFolder('2026');
    plans.addFile('plan.md', 'Text', { parent: folder });
    own.addFile('own.md', 'Text');
    const browse = async (parent: string | null, page = 1, perPage = 30) =>
      (await source.browse?.(parent, page, perPage, signal))?.resources ?? [];
    const [drive, sites] = await browse(null);
    expect([drive?.name, sites?.name]).toEqual(['My files', 'SharePoint sites']);
    expect((await browse(drive?.id ?? '')).map(({ name }) => name)).toEqual(['own.md']);
    const [site] = await browse(sites?.id ?? '');
    expect(site).toMatchObject({ name: 'Plans', selectable: false });
    const [documents] = await browse(site?.id ?? '');
    expect(documents).toMatchObject({ id: `${plans.id}/root`, selectable: true, how: { site: 'Plans' } });
    const [year] = await browse(documents?.id ?? '');
    expect(year).toMatchObject({ id: `${plans.id}/${folder}`, kind: 'folder' });
    expect((await browse(year?.id ?? '')).map(({ name }) => name)).toEqual(['plan.md']);
    expect((await source.find?.('own', 10, signal))?.map(({ name }) => name)).toEqual(['own.md']);
    expect((await source.find?.('Plans', 10, signal))?.map(({ name }) => name)).toEqual(['Plans']);
  });
});

describe('subscriptions and accounts', () => {
  test('each drive gets a subscription with the secret, for less than a month', async () => {
    const { graph, opened, source } = await openDrive();
    const [made] = (await source.watch?.(null, 'https://memoir.example/hook', 'planted', signal)) ?? [];
    expect([...graph.subscriptions.values()]).toMatchObject([
      { resource: '/me/drive/root', clientState: 'planted' },
    ]);
    expect(made?.endsAt).toBe(opened.now() + 42_300 * 60_000);
    if (made !== undefined) await source.unwatch?.(made, signal);
    expect(graph.subscriptions.size).toBe(0);
  });

  test('a delivery with the secret wakes, a greeting is answered as text, and any other is refused', () => {
    const check = (body: object, query: Record<string, string> = {}) =>
      checkDelivery(onedrive, { query, body: JSON.stringify(body), secret: 'planted' });
    expect(check({ value: [{ clientState: 'planted' }] })).toEqual({ kind: 'wake', delivery: null });
    expect(check({ value: [{ clientState: 'planted', lifecycleEvent: 'reauthorizationRequired' }] })).toEqual(
      {
        kind: 'ignore',
      },
    );
    expect(check({ value: [{ clientState: 'planted' }, { clientState: 'other' }] })).toEqual({
      kind: 'refuse',
    });
    expect(check({})).toEqual({ kind: 'refuse' });
    expect(check({}, { validationToken: '<b>x</b>' })).toEqual({ kind: 'answer', text: '<b>x</b>' });
  });

  test('an app with its own rights gets its token itself, in its own cloud', async () => {
    const login = await startFakeServer(({ body }) =>
      new URLSearchParams(body).get('client_secret') === 'planted-secret'
        ? { body: { access_token: 'app-token', expires_in: 3600 } }
        : { status: 401, body: { error: 'invalid_client' } },
    );
    const graph = await startFakeGraph((token) => token === 'app-token');
    graph.own.addFile('a.md', 'One');
    const metadata = {
      tenantId: 't-1',
      clientId: 'c-1',
      cloud: 'usgov',
      user: 'ann@example.org',
      syncScope: 'full',
    };
    const standIns = {
      'https://login.microsoftonline.us': login.origin,
      'https://graph.microsoft.us': graph.server.origin,
    };
    const openApp = (clientSecret: string) =>
      openFake(onedrive, { standIns, grant: { metadata, secrets: { clientSecret } } });
    const [good, bad] = [openApp('planted-secret'), openApp('wrong')];
    onTestFinished(async () => {
      await Promise.all([good, bad].map((one) => one[Symbol.asyncDispose]()));
      await Promise.all([login.close(), graph.close()]);
    });
    expect(await good.source.who(signal)).toEqual({ account: 't-1/ann@example.org' });
    await expect(bad.source.who(signal)).rejects.toMatchObject({ code: 'auth_expired' });
    expect(login.requests[0]?.url.pathname).toBe('/t-1/oauth2/v2.0/token');
  });

  test('options that cannot be used are named', () => {
    const checked = (metadata: Record<string, SourceValue>, secrets: Record<string, string> = {}) =>
      onedrive.checkOptions({ metadata, secrets });
    expect(checked({})).toBeNull();
    expect(checked({ cloud: 'mars' })).toContain('metadata.cloud');
    expect(checked({ cloud: 'china' })).toContain('metadata.tenantId');
    expect(checked({ syncScope: 'some' })).toContain('metadata.syncScope');
    expect(checked({ tenantId: 't' })).toContain('metadata.clientSecret');
    expect(checked({ tenantId: 't', clientId: 'c', syncScope: 'full' }, { clientSecret: 's' })).toContain(
      'metadata.user',
    );
  });
});
