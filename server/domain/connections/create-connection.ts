// Makes connections: everything is checked before a record exists, and secrets are sealed.
import type { z } from 'zod';
import type {
  ConnectionCreated,
  ConnectionPreview,
  createConnectionInput,
  previewConnectionInput,
} from '../../../tools/connections/schemas/connections.ts';
import type { SourceKind, SourceValue } from '../../adapters/connect/port.ts';
import type { ConnectionStore, NewConnection } from '../../adapters/store/ports/connections/connections.ts';
import { DEFAULT_TAG } from '../../core/default-tag.ts';
import { badRequest, forbidden, MemoirError } from '../../core/errors.ts';
import type { Caller } from '../../core/principal.ts';
import { connectionNote } from './connection-note.ts';
import { type GivenOptions, joinedOptions } from './given-options.ts';
import { noSuchSource } from './refusals.ts';
import type { SignIns } from './sign-in/sign-ins.ts';
import type { ConnectionSources, OpenGrant } from './sources.ts';
import { type OpenedConnection, selectsByChoice } from './syncing/context.ts';

export interface CreateDeps {
  readonly store: ConnectionStore;
  readonly sources: () => Promise<ConnectionSources>;
  readonly signIns: Pick<SignIns, 'require' | 'begin'>;
  readonly newId: () => string;
  readonly now: () => number;
}

type CreateInput = z.output<typeof createConnectionInput>;
type PreviewInput = z.output<typeof previewConnectionInput>;

const DEFAULT_LIMIT = 10_000;
/** A check of a source must not keep a caller waiting for long. */
const CHECK_MS = 30_000;

export const requireKind = async (sources: ConnectionSources, provider: string): Promise<SourceKind> => {
  const kind = await sources.kind(provider);
  if (kind === null) throw noSuchSource(provider);
  return kind;
};

const SHOWN_CHARACTERS = 4;
/** The end of a shorter one would tell too much. */
const SHORTEST_SHOWN = 10;
const mask = (secret: string): string =>
  secret.length < SHORTEST_SHOWN ? '…' : `…${secret.slice(-SHOWN_CHARACTERS)}`;

/** The masked form of a secret is no secret: it does not replace the stored one. */
export const withoutMasks = <T>(
  { masked = [] }: SourceKind,
  metadata: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => !masked.includes(key)));

/** Secrets apart from what is answered; of a masked one, its end is answered. */
export const splitOptions = (
  kind: SourceKind,
  given: Readonly<Record<string, SourceValue | undefined>>,
): Pick<OpenGrant, 'metadata' | 'secrets'> => {
  const entries = Object.entries(given).filter(
    (entry): entry is [string, SourceValue] => entry[1] !== undefined,
  );
  const isSecret = ([key]: [string, SourceValue]): boolean => kind.secrets.includes(key);
  const masks = entries
    .filter(([key]) => kind.masked?.includes(key))
    .map(([key, value]) => [key, mask(String(value))]);
  return {
    metadata: Object.fromEntries([...entries.filter((entry) => !isSecret(entry)), ...masks]),
    secrets: Object.fromEntries(entries.filter(isSecret).map(([key, value]) => [key, String(value)])),
  };
};

/** A failure of the source is one of the options that were given. */
export const askingSource = async <T>(sources: ConnectionSources, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    const failure = sources.failureOf(error);
    if (failure === null) throw error;
    throw badRequest(failure.forCaller, { cause: error });
  }
};

/** The same, for a caller who waits. */
export const askingInTime = async <T>(
  sources: ConnectionSources,
  { title, signal, limitMs = CHECK_MS }: { title: string; signal: AbortSignal; limitMs?: number },
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await askingSource(sources, () => ask(AbortSignal.any([signal, limit])));
  } catch (error) {
    if (!limit.aborted || signal.aborted || error instanceof MemoirError) throw error;
    throw badRequest(
      `${title} did not answer within ${limitMs / 1000} seconds, or asked for fewer requests for a while. Try again later.`,
      { cause: error },
    );
  }
};

const checkedGrant = async (
  { sources: load, signIns }: CreateDeps,
  provider: string,
  given: GivenOptions,
): Promise<{ sources: ConnectionSources; kind: SourceKind; grant: OpenGrant; signsIn: boolean }> => {
  const sources = await load();
  const kind = await requireKind(sources, provider);
  const grant = { id: null, provider, account: null, ...splitOptions(kind, joinedOptions(kind, given)) };
  const fault = kind.checkOptions(grant);
  if (fault !== null) throw badRequest(fault);
  const signsIn = kind.credentials(grant).kind === 'signed-in';
  if (signsIn) await signIns.require(provider);
  return { sources, kind, grant, signsIn };
};

const tagsOf = ({
  containerTag,
  containerTags,
}: Pick<CreateInput, 'containerTag' | 'containerTags'>): string[] => {
  if (containerTags !== undefined && containerTags.length > 0) return [...containerTags];
  return [containerTag ?? DEFAULT_TAG];
};

/** The browser goes there after the sign-in. */
export const checkRedirectUrl = (address: string | undefined): void => {
  if (address === undefined) return;
  const url = URL.parse(address);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return;
  throw badRequest('redirectUrl must be an http or https address without a user name.');
};

export const createNewConnection = async (
  deps: CreateDeps,
  caller: Caller,
  input: CreateInput,
  signal: AbortSignal,
): Promise<ConnectionCreated> => {
  const { connection: provider, redirectUrl, documentLimit = DEFAULT_LIMIT } = input;
  checkRedirectUrl(redirectUrl);
  const { sources, kind, grant, signsIn } = await checkedGrant(deps, provider, input);
  const account = signsIn
    ? null
    : await askingInTime(sources, { title: kind.title, signal }, async (inTime) =>
        (await sources.open(grant)).source.who(inTime),
      );
  const id = deps.newId();
  const metadata = { ...grant.metadata, ...account?.options };
  const tags = tagsOf(input);
  const made: NewConnection = {
    ...{ id, provider, documentLimit, metadata, tags },
    state: signsIn ? 'waiting' : selectsByChoice(kind, metadata) ? 'choosing' : 'active',
    createdBy: caller.keyId ?? null,
    createdAt: deps.now(),
    nextLookAt: deps.now(),
    sealed: Object.keys(grant.secrets).length === 0 ? null : sources.seal(id, grant.secrets),
    account: account?.account ?? null,
    email: account?.email ?? null,
    app: null,
  };
  const created = await deps.store.create(caller.scope, made, connectionNote(caller, made));
  if (!created)
    throw forbidden(
      'This key does not hold all container tags of the connection. Name those that it holds, or use another key.',
    );
  if (!signsIn) return { id };
  const { authLink } = await deps.signIns.begin({ id, provider, redirectUrl: redirectUrl ?? null });
  return {
    id,
    authLink,
    expiresIn: '1 hour',
    ...(redirectUrl === undefined ? {} : { redirectsTo: redirectUrl }),
  };
};

const PREVIEW_MS = 20_000;

/** Counts the items that would be synced, as far as a listing shows them within the time. */
export const countSource = async (
  { kind, source }: OpenedConnection,
  choice: Parameters<OpenedConnection['source']['look']>[1],
  signal: AbortSignal,
): Promise<ConnectionPreview> => {
  const deadline = AbortSignal.timeout(PREVIEW_MS);
  const counts = { found: 0, bytes: 0, skipped: 0, complete: false };
  try {
    for await (const page of source.look(null, choice, AbortSignal.any([signal, deadline]))) {
      for (const { kind, skip, bytes = 0 } of page.items) {
        if (kind !== 'file') continue;
        if (skip === undefined) counts.found += 1;
        else counts.skipped += 1;
        if (skip === undefined) counts.bytes += bytes;
      }
      if (page.end !== undefined) counts.complete = kind.leadsOn !== true;
    }
  } catch (error) {
    if (!deadline.aborted) throw error;
  }
  return counts;
};

export const previewNewConnection = async (
  deps: CreateDeps,
  { provider, ...given }: PreviewInput,
  signal: AbortSignal,
): Promise<ConnectionPreview> => {
  const { sources, kind, grant, signsIn } = await checkedGrant(deps, provider, given);
  if (signsIn)
    throw badRequest(
      'Only after a sign-in is it known what would be synced. Make the connection, sign in, and choose.',
    );
  const opened = await askingInTime(sources, { title: kind.title, signal }, async (inTime) => {
    const asked = await sources.open(grant);
    // A connection with these options would be refused by the same question.
    await asked.source.who(inTime);
    return asked;
  });
  return askingSource(sources, () => countSource(opened, null, signal));
};
