// Connections to outside sources: callers make, watch, change and remove them. The syncer in the background keeps them in sync.
import type { z } from 'zod';
import type {
  ConnectionCreated,
  ConnectionDocumentsOutput,
  ConnectionItemsOutput,
  ConnectionOutput,
  ConnectionPreview,
  ConnectionsOutput,
  createConnectionInput,
  deleteConnectionInput,
  itemsInput,
  listConnectionsInput,
  previewConnectionInput,
  reauthorizeInput,
  SyncRunsOutput,
} from '../../../tools/connections/schemas/connections.ts';
import type { ConnectionRecord } from '../../adapters/store/ports/connections/connections.ts';
import type { DocumentStore } from '../../adapters/store/ports/documents.ts';
import { badRequest, notFound } from '../../core/errors.ts';
import type { Caller } from '../../core/principal.ts';
import { isoTime } from '../../lib/text/dates/format.ts';
import { type Choosing, type ChoosingDeps, createChoosing } from './choosing.ts';
import { connectionNote, importNote } from './connection-note.ts';
import {
  askingInTime,
  checkRedirectUrl,
  createNewConnection,
  previewNewConnection,
  requireKind,
  splitOptions,
  withoutMasks,
} from './create-connection.ts';
import { joinedOptions } from './given-options.ts';
import { createHooksByHand, type HooksByHand, type HooksByHandDeps } from './hooks/hooks-by-hand.ts';
import { presentConnection, presentItems, presentRuns } from './present-connection.ts';
import {
  cannotPause,
  cannotResume,
  holdsNothing,
  noConnectionAt,
  noSuchConnection,
  severalConnections,
} from './refusals.ts';
import { findConnection } from './stored-connection.ts';

type Input<Schema extends z.ZodType> = z.output<Schema>;

export interface ProviderAtTags {
  provider: string;
  containerTags?: readonly string[] | undefined;
}

export interface Connections extends Choosing, HooksByHand {
  list(caller: Caller, filter: Input<typeof listConnectionsInput>): Promise<ConnectionsOutput>;
  /** The former way to ask, by a field of the metadata. */
  listOf(caller: Caller, endUserId: string | undefined): Promise<ConnectionsOutput>;
  get(caller: Caller, id: string): Promise<ConnectionOutput>;
  atTags(caller: Caller, at: Required<ProviderAtTags>): Promise<ConnectionOutput>;
  create(
    caller: Caller,
    input: Input<typeof createConnectionInput>,
    signal: AbortSignal,
  ): Promise<ConnectionCreated>;
  preview(input: Input<typeof previewConnectionInput>, signal: AbortSignal): Promise<ConnectionPreview>;
  remove(
    caller: Caller,
    input: Input<typeof deleteConnectionInput>,
  ): Promise<{ id: string; provider: string }>;
  documents(caller: Caller, at: ProviderAtTags): Promise<ConnectionDocumentsOutput>;
  import(caller: Caller, at: ProviderAtTags): Promise<string>;
  runs(caller: Caller, id: string): Promise<SyncRunsOutput>;
  items(caller: Caller, input: Input<typeof itemsInput>): Promise<ConnectionItemsOutput>;
  pause(caller: Caller, id: string): Promise<ConnectionOutput>;
  resume(caller: Caller, id: string): Promise<ConnectionOutput>;
  acceptRemovals(caller: Caller, id: string): Promise<ConnectionOutput>;
  include(caller: Caller, id: string, items: readonly string[]): Promise<{ included: number }>;
  reauthorize(
    caller: Caller,
    input: Input<typeof reauthorizeInput>,
    signal: AbortSignal,
  ): Promise<ConnectionCreated>;
}

export interface ConnectionsDeps extends ChoosingDeps, HooksByHandDeps {
  readonly documents: Pick<DocumentStore, 'list'>;
}

const RUNS_SHOWN = 50;
const DOCUMENTS_SHOWN = 1_100;

const hasTags = ({ tags }: ConnectionRecord, wanted: readonly string[] | undefined): boolean =>
  wanted === undefined || wanted.length === 0 || wanted.some((tag) => tags.includes(tag));

const presentAll = async (
  { store }: ConnectionsDeps,
  caller: Caller,
  records: readonly ConnectionRecord[],
): Promise<ConnectionsOutput> => {
  const counts = await store.counts(
    caller.scope,
    records.map(({ id }) => id),
  );
  return records.map((record) => presentConnection(record, counts.get(record.id) ?? {}));
};

const presented = async (
  { store }: ConnectionsDeps,
  caller: Caller,
  record: ConnectionRecord,
): Promise<ConnectionOutput> =>
  presentConnection(record, (await store.counts(caller.scope, [record.id])).get(record.id) ?? {});

const matching = async (
  { store }: ConnectionsDeps,
  caller: Caller,
  {
    provider,
    containerTags,
  }: { provider?: string | undefined; containerTags?: readonly string[] | undefined },
): Promise<ConnectionRecord[]> =>
  (await store.list(caller.scope)).filter(
    (record) => (provider === undefined || record.provider === provider) && hasTags(record, containerTags),
  );

const removeOne = async (
  deps: ConnectionsDeps,
  caller: Caller,
  { connection, containerTags, deleteDocuments }: Input<typeof deleteConnectionInput>,
): Promise<{ id: string; provider: string }> => {
  const byId = await deps.store.get(caller.scope, connection);
  const fitting =
    byId === null ? await matching(deps, caller, { provider: connection, containerTags }) : [byId];
  const [record, ...others] = containerTags === undefined && byId === null ? [] : fitting;
  if (record === undefined)
    throw containerTags === undefined
      ? noSuchConnection(connection)
      : noConnectionAt(connection, containerTags);
  if (others.length > 0)
    throw severalConnections(
      connection,
      fitting.map(({ id }) => id),
    );
  const note = connectionNote(caller, record, { documents: deleteDocuments ? 'deleted' : 'kept' });
  const removed = await deps.store.remove(caller.scope, record.id, !deleteDocuments, note);
  if (removed === null) throw noSuchConnection(record.id);
  return { id: record.id, provider: record.provider };
};

const listDocumentsOf = async (
  { documents, store }: ConnectionsDeps,
  caller: Caller,
  { provider, containerTags }: ProviderAtTags,
): Promise<ConnectionDocumentsOutput> => {
  const held = new Set((await store.list(caller.scope)).map(({ id }) => id));
  const query = {
    sort: 'createdAt',
    order: 'desc',
    offset: 0,
    content: false,
    limit: DOCUMENTS_SHOWN,
  } as const;
  const listed = await documents.list(caller.scope, {
    ...query,
    sources: [provider],
    ...(containerTags === undefined ? {} : { anyTags: containerTags }),
  });
  return listed.documents
    .filter(({ connection }) => connection !== null && held.has(connection))
    .map(({ id, step, type, title, summary, url, createdAt, updatedAt }) => ({
      ...{ id, type, title, summary, url },
      status: step,
      createdAt: isoTime(createdAt),
      updatedAt: isoTime(updatedAt),
    }));
};

const importNow = async (deps: ConnectionsDeps, caller: Caller, at: ProviderAtTags): Promise<string> => {
  const records = await matching(deps, caller, at);
  if (records.length === 0) throw noConnectionAt(at.provider, at.containerTags ?? ['any tag']);
  let note = importNote(caller, at.provider, records);
  for (const { id } of records) if (await deps.store.want(caller.scope, id, 'manual', note)) note = null;
  return 'Importing connections...';
};

/** New keys for a source without a sign-in, or a new link. */
const reauthorizeOne = async (
  deps: ConnectionsDeps,
  caller: Caller,
  { connectionId: id, redirectUrl, ...given }: Input<typeof reauthorizeInput>,
  signal: AbortSignal,
): Promise<ConnectionCreated> => {
  checkRedirectUrl(redirectUrl);
  const record = await findConnection(deps, caller, id);
  const sources = await deps.sources();
  const kind = await requireKind(sources, record.provider);
  const { provider, account } = record;
  const { metadata, secrets } = splitOptions(kind, {
    ...withoutMasks(kind, record.metadata),
    ...joinedOptions(kind, given),
  });
  const grant = { id, provider, account, metadata, secrets };
  if (kind.credentials(grant).kind === 'signed-in') {
    const { authLink } = await deps.signIns.begin({
      ...{ id, provider, redirectUrl: redirectUrl ?? null },
      account: record.email ?? undefined,
    });
    return { id, authLink, expiresIn: '1 hour' };
  }
  const fault = kind.checkOptions(grant);
  if (fault !== null) throw badRequest(fault);
  const who = await askingInTime(sources, { title: kind.title, signal }, async (inTime) =>
    (await sources.open(grant)).source.who(inTime),
  );
  if (account !== null && who.account !== account)
    throw badRequest(
      `These keys belong to ${who.account}, and the connection to ${account}. Make a connection of its own for the other account.`,
    );
  const note = connectionNote(caller, record, { change: 'reauthorize' });
  await deps.store.change(caller.scope, id, { metadata, sealed: sources.seal(id, secrets) }, note);
  return { id };
};

type Changing = 'pause' | 'resume' | 'acceptRemovals' | 'include' | 'reauthorize' | 'remove' | 'import';

const createChanging = (deps: ConnectionsDeps): Pick<Connections, Changing> => {
  const { store } = deps;
  const changed = async (
    caller: Caller,
    id: string,
    change: 'pause' | 'resume' | 'acceptRemovals',
    refusal: (state: ConnectionRecord['state']) => Error,
  ): Promise<ConnectionOutput> => {
    const record = await findConnection(deps, caller, id);
    const note = connectionNote(caller, record, { change });
    if (!(await store[change](caller.scope, id, note))) throw refusal(record.state);
    return presented(deps, caller, await findConnection(deps, caller, id));
  };
  return {
    pause: (caller, id) => changed(caller, id, 'pause', cannotPause),
    resume: (caller, id) => changed(caller, id, 'resume', cannotResume),
    acceptRemovals: (caller, id) => changed(caller, id, 'acceptRemovals', holdsNothing),
    async include(caller, id, items) {
      const record = await findConnection(deps, caller, id);
      const note = connectionNote(caller, record, { change: 'include' });
      const included = await store.include(caller.scope, id, items, note);
      if (included === 0)
        throw notFound(
          'None of these items failed or was left out of the connection. Use the ids that "memoir connections problems" or GET /v3/connections/{id}/items shows.',
        );
      return { included };
    },
    reauthorize: (caller, input, signal) => reauthorizeOne(deps, caller, input, signal),
    remove: (caller, input) => removeOne(deps, caller, input),
    import: (caller, at) => importNow(deps, caller, at),
  };
};

export const createConnections = (deps: ConnectionsDeps): Connections => {
  const { store } = deps;
  return {
    ...createChanging(deps),
    ...createChoosing(deps),
    ...createHooksByHand(deps),
    list: async (caller, filter) => presentAll(deps, caller, await matching(deps, caller, filter)),
    listOf: async (caller, endUserId) =>
      presentAll(
        deps,
        caller,
        (await store.list(caller.scope)).filter(
          ({ metadata }) => endUserId === undefined || String(metadata.endUserId) === endUserId,
        ),
      ),
    get: async (caller, id) => presented(deps, caller, await findConnection(deps, caller, id)),
    async atTags(caller, at) {
      const newest = (await matching(deps, caller, at)).at(-1);
      if (newest === undefined) throw noConnectionAt(at.provider, at.containerTags ?? []);
      return presented(deps, caller, newest);
    },
    create: (caller, input, signal) => createNewConnection(deps, caller, input, signal),
    preview: (input, signal) => previewNewConnection(deps, input, signal),
    documents: (caller, at) => listDocumentsOf(deps, caller, at),
    async runs(caller, id) {
      await findConnection(deps, caller, id);
      return presentRuns(await store.runs(caller.scope, id, RUNS_SHOWN));
    },
    async items(caller, { connectionId, state, page, limit }) {
      await findConnection(deps, caller, connectionId);
      const at = { limit, offset: (page - 1) * limit };
      return presentItems(await store.items(caller.scope, connectionId, state, at));
    },
  };
};
