// The duty that keeps webhooks: made after the first sync where the source can, renewed long before they end, and ended with a
// pause. A source that makes none costs a sync nothing: changes are found by the schedule, and the connection says so.
import type { Choice, SourceJson, Watch } from '../../../adapters/connect/port.ts';
import type {
  HookIngestStore,
  HooksEnd,
  KeptHook,
  LeasedHooks,
  StoredWatch,
} from '../../../adapters/store/ports/connections/hooks.ts';
import type { Logger } from '../../../core/log.ts';
import { growingWait, type RetryWaits } from '../../../lib/async/retry.ts';
import { messageOf } from '../../../lib/failures.ts';
import { sha256 } from '../../../lib/hash.ts';
import { hookAddress } from '../../../lib/own-address.ts';
import type { ConnectionSources } from '../sources.ts';
import { type OpenedConnection, type SourceFailure, selectsByChoice } from '../syncing/context.ts';
import { newHookSecret, sealHookSecret } from './hook-secrets.ts';

export interface KeepHooksDeps {
  readonly store: Pick<HookIngestStore, 'beginHook' | 'endHooks'>;
  readonly open: (leased: LeasedHooks) => Promise<OpenedConnection>;
  readonly sources: () => Promise<Pick<ConnectionSources, 'seal'>>;
  /** The public https address of this server; null: there is none, so no source can call. */
  readonly base: string | null;
  readonly failureOf: (error: unknown) => SourceFailure | null;
  readonly now: () => number;
  readonly log: Logger;
}

const RETRY_WAITS: RetryWaits = { firstWaitMs: 10 * 60_000, longestWaitMs: 6 * 60 * 60_000 };
/** Somebody may give the permission meanwhile. */
const REFUSED_WAIT_MS = 24 * 60 * 60_000;
const BY_SCHEDULE = 'Changes are found by the schedule.';

const storedWatch = ({ id, endsAt, how }: Watch): StoredWatch => ({
  ...{ id, endsAt },
  ...(how === undefined ? {} : { how }),
});

export const sourceWatch = ({ how, ...watch }: StoredWatch): Watch => ({
  ...watch,
  ...(how === undefined ? {} : { how: how as SourceJson }),
});

/** The earliest end; null: none ends. */
const endOfWatches = (watches: readonly Watch[]): number | null => {
  const ends = watches.flatMap(({ endsAt }) => (endsAt === null ? [] : [endsAt]));
  return ends.length === 0 ? null : Math.min(...ends);
};

const HALF = 2;

const nothingMade = (problem: string | null, dueAt: number | null = null): HooksEnd => ({
  ...{ made: null, ended: [], dueAt, problem, failed: false },
});

/** Null: it wants hooks. */
const endWithoutHooks = (
  { base }: KeepHooksDeps,
  { record }: LeasedHooks,
  { kind, source }: OpenedConnection,
): HooksEnd | null => {
  if (record.state !== 'active' || source.watch === undefined) return nothingMade(null);
  if (selectsByChoice(kind, record.metadata) && (record.choice ?? []).length === 0) return nothingMade(null);
  if (base !== null) return null;
  return nothingMade(
    `This server has no public https address that ${kind.title} could call: set MEMOIR_BASE_URL. ${BY_SCHEDULE}`,
  );
};

interface Making {
  readonly deps: KeepHooksDeps;
  readonly leased: LeasedHooks;
  readonly opened: OpenedConnection;
  readonly base: string;
  readonly signal: AbortSignal;
}

interface Made {
  readonly tokenHash: string;
  readonly watches: readonly Watch[] | null;
}

/** The row exists before the source is told the address, because it may call at once. Null: the lease is lost. */
const makeHooks = async ({ deps, leased, opened, base, signal }: Making): Promise<Made | null> => {
  const [token, secret] = [newHookSecret(), newHookSecret()];
  const tokenHash = sha256(token);
  const sealed = sealHookSecret(await deps.sources(), tokenHash, secret);
  if (!(await deps.store.beginHook(leased, { tokenHash, sealed, base }))) return null;
  const { provider, choice } = leased.record;
  const address = hookAddress(base, provider, token);
  const watches = (await opened.source.watch?.(choice as Choice, address, secret, signal)) ?? null;
  return { tokenHash, watches };
};

/** Ends webhooks at the source. A failure costs only calls in vain: the webhooks end by themselves, or their address is refused. */
const unwatchAll = async (
  { failureOf, log }: KeepHooksDeps,
  { kind, source }: OpenedConnection,
  watches: readonly StoredWatch[],
  signal: AbortSignal,
): Promise<void> => {
  for (const watch of watches) {
    try {
      await source.unwatch?.(sourceWatch(watch), signal);
    } catch (error) {
      if (failureOf(error) === null) throw error;
      log.debug({ err: error }, `A webhook of ${kind.title} could not be ended.`);
    }
  }
};

const former = (hooks: readonly KeptHook[]): readonly KeptHook[] => hooks.filter(({ byHand }) => !byHand);

const endOfMade = ({ deps, leased, opened }: Making, { tokenHash, watches }: Made): HooksEnd => {
  const { now } = deps;
  const ended = former(leased.hooks).map((hook) => hook.tokenHash);
  if (watches === null) {
    const { kind } = opened;
    const problem = `${kind.title} makes no webhook for this address or this account. ${BY_SCHEDULE} docs/connectors/${kind.provider}.md tells what it needs.`;
    return {
      ...nothingMade(problem, now() + REFUSED_WAIT_MS),
      ended: [...ended, tokenHash],
    };
  }
  const endsAt = endOfWatches(watches);
  return {
    made: { tokenHash, endsAt, watches: watches.map(storedWatch) },
    ended,
    dueAt: endsAt === null ? null : now() + Math.round(Math.max(0, endsAt - now()) / HALF),
    ...{ problem: null, failed: false },
  };
};

/** Complete webhooks go on; the next attempt ends incomplete ones. */
const endOfFailure = ({ now }: KeepHooksDeps, leased: LeasedHooks, message: string): HooksEnd => {
  const goesOn = former(leased.hooks).some(({ watches }) => watches.length > 0);
  return {
    ...nothingMade(goesOn ? null : `${message} ${BY_SCHEDULE}`),
    dueAt: now() + growingWait(RETRY_WAITS, leased.failures + 1),
    failed: true,
  };
};

const keepWanted = async (making: Making): Promise<void> => {
  const { deps, leased, opened, signal } = making;
  const made = await makeHooks(making);
  if (made === null) return;
  const stored = await deps.store.endHooks(leased, endOfMade(making, made));
  const old = former(leased.hooks).flatMap(({ watches }) => watches);
  const over = stored ? old : (made.watches ?? []).map(storedWatch);
  await unwatchAll(deps, opened, over, signal);
};

const keepOpened = async (
  deps: KeepHooksDeps,
  leased: LeasedHooks,
  opened: OpenedConnection,
  signal: AbortSignal,
): Promise<void> => {
  const without = endWithoutHooks(deps, leased, opened);
  if (without === null && deps.base !== null)
    return keepWanted({ deps, leased, opened, base: deps.base, signal });
  const hooks = former(leased.hooks);
  await unwatchAll(
    deps,
    opened,
    hooks.flatMap(({ watches }) => watches),
    signal,
  );
  const end = without ?? nothingMade(null);
  await deps.store.endHooks(leased, { ...end, ended: hooks.map(({ tokenHash }) => tokenHash) });
};

/** A failure of this program's own is logged, and ends like one of the source. */
export const keepHooks = async (
  deps: KeepHooksDeps,
  leased: LeasedHooks,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await keepOpened(deps, leased, await deps.open(leased), signal);
  } catch (error) {
    const failure = deps.failureOf(error);
    if (failure === null)
      deps.log.warn({ err: error, connection: leased.connection }, 'Webhooks could not be made.');
    await deps.store.endHooks(leased, endOfFailure(deps, leased, failure?.message ?? messageOf(error)));
  }
};
