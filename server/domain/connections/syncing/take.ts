// The second half of a run: reads what is wanted and stores it. A failing item never stops the run, and is named.
import type { Taken } from '../../../adapters/connect/port.ts';
import type { WantedItem } from '../../../adapters/store/ports/connections/connections.ts';
import { mapBounded } from '../../../lib/async/bounded.ts';
import { type RetryPlan, waitBeforeJob } from '../../../lib/async/retry.ts';
import {
  internalFailure,
  LeaseLostError,
  type RunContext,
  requireLease,
  type SourceFailure,
} from './context.ts';
import { describeItem, faceOf, ledgerItem, nameOfItem, submissionOfItem } from './describe-item.ts';
import { readItemOf } from './look.ts';

/** More documents of one connection do not wait in the pipeline, so a large drive neither fills the disk nor starves others. */
const MOST_WAITING = 200;
const FULL_PAUSE_MS = 500;
const MOST_BYTES = 50 * 1024 * 1024;
const ITEM_RETRIES: RetryPlan = { attempts: 8, firstWaitMs: 5_000, longestWaitMs: 15 * 60_000 };
/** After this many different items in a row that failed, the source counts as away. */
const FAILURES_IN_A_ROW = 5;
const LONGEST_ITEM_WAIT_MS = 30_000;

type ReadContent = Extract<Taken, { content: 'file' | 'text' }>;

async function* limitedBytes({ deps }: RunContext, taken: ReadContent): AsyncGenerator<Buffer> {
  if (taken.content === 'text') {
    yield Buffer.from(taken.text);
    return;
  }
  let bytes = 0;
  for await (const piece of taken.bytes()) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw deps.failWith('too_large', 'It is larger than 50 MB.');
    yield piece;
  }
}

const storeContent = async (context: RunContext, item: WantedItem, taken: ReadContent): Promise<void> => {
  const { deps, run, rules } = context;
  const face = { ...faceOf(item), ...taken.face };
  const description = await describeItem(context, item, face);
  const blob = await deps.blobs.receive(limitedBytes(context, taken));
  const outcome = await deps.store.take(
    run,
    {
      item,
      contentMark: taken.mark ?? null,
      submission: submissionOfItem(context, { item, taken, blob, description }),
      description,
      found: (taken.found ?? []).map(ledgerItem),
      note: taken.note ?? null,
    },
    rules,
  );
  const isStored = outcome !== false && outcome.outcome !== 'occupied' && outcome.stored;
  await (isStored ? deps.blobs.keep(blob.key) : deps.blobs.erase(blob.key));
  if (requireLease(outcome).outcome === 'occupied') await failOccupied(context, item);
};

const failOccupied = async ({ deps, run }: RunContext, item: WantedItem): Promise<void> => {
  const message = `${nameOfItem(item)}: a document with the customId ${item.id} was added by somebody else. It was left as it is. Delete it or give it another customId, and sync again.`;
  requireLease(await deps.store.failItem(run, item.id, { code: 'custom_id_taken', message, dueAt: null }));
};

/** The content is the same: only what is known besides it is stored. */
const storeFace = async (context: RunContext, item: WantedItem, taken: Taken | null): Promise<void> => {
  const { deps, run, rules } = context;
  const face = { ...faceOf(item), ...taken?.face };
  const answer = await deps.store.take(
    run,
    {
      item,
      contentMark: taken?.mark ?? null,
      submission: null,
      description: await describeItem(context, item, face),
      found: (taken?.found ?? []).map(ledgerItem),
      note: null,
    },
    rules,
  );
  requireLease(answer);
};

const storeTaken = async (context: RunContext, item: WantedItem, taken: Taken): Promise<void> => {
  const { deps, run, rules } = context;
  if (taken.content === 'file' || taken.content === 'text') return storeContent(context, item, taken);
  if (taken.content === 'unchanged') return storeFace(context, item, taken);
  const found = (taken.found ?? []).map(ledgerItem);
  requireLease(await deps.store.skipItem(run, { id: item.id, skip: taken.skip, found }, rules));
};

/** Failures of the connection and not of the item: the run ends with them. */
const ENDS_RUN = new Set(['auth_expired', 'rate_limited']);
const PASSING = new Set(['provider_unavailable', 'bad_answer']);

const recordFailure = async (
  context: RunContext,
  item: WantedItem,
  failure: SourceFailure,
): Promise<void> => {
  const { deps, run, opened, rules, signal } = context;
  const name = nameOfItem(item);
  if (failure.code === 'too_large') {
    const skip = { code: 'size' as const, message: `${name}: ${failure.message}` };
    const skipped = { id: item.id, skip, found: [] };
    requireLease(await deps.store.skipItem(run, skipped, rules));
    return;
  }
  if (failure.code === 'not_found' && opened.source.exists !== undefined) {
    if ((await opened.source.exists(readItemOf(item), signal)) === 'gone') {
      requireLease(await deps.store.noteGone(run, [item.id], rules));
      return;
    }
  }
  const wait = PASSING.has(failure.code)
    ? waitBeforeJob(ITEM_RETRIES, item.attempts + 1, failure.retryAfterMs ?? undefined, deps.random)
    : null;
  const dueAt = wait === null ? null : deps.now() + wait;
  // After the last attempt nothing is tried again by itself.
  const message = `${name}: ${wait === null ? failure.forCaller : failure.message}`;
  requireLease(await deps.store.failItem(run, item.id, { code: failure.code, message, dueAt }));
};

const createTaker = (context: RunContext) => {
  const { deps, opened } = context;
  let inARow = 0;
  const handle = async (item: WantedItem, error: unknown): Promise<void> => {
    if (context.signal.aborted || error instanceof LeaseLostError) throw error;
    const failure = deps.failureOf(error);
    if (failure !== null && ENDS_RUN.has(failure.code)) throw error;
    if (failure === null) deps.log.warn({ err: error, item: item.id }, 'An item of a connection failed.');
    inARow = failure !== null && PASSING.has(failure.code) ? inARow + 1 : 0;
    const known = failure ?? internalFailure(error);
    await recordFailure(context, item, known);
    if (inARow >= FAILURES_IN_A_ROW)
      throw deps.failWith('provider_unavailable', `${opened.kind.title} does not answer: ${known.message}`);
  };
  return async (item: WantedItem, read: () => Promise<Taken>): Promise<void> => {
    try {
      if (item.sameContent) await storeFace(context, item, null);
      else await storeTaken(context, item, await read());
      inARow = 0;
    } catch (error) {
      await handle(item, error);
    }
  };
};

/** Many at once where the source can; what is missing in its answer is read alone. */
const readTogether = async (
  { opened, signal, deps }: RunContext,
  items: readonly WantedItem[],
): Promise<ReadonlyMap<string, Taken>> => {
  const together = opened.source.readTogether;
  const unread = items.filter(({ sameContent }) => !sameContent);
  if (together === undefined || unread.length < 2) return new Map();
  try {
    return await together.read(unread.map(readItemOf), signal);
  } catch (error) {
    const failure = deps.failureOf(error);
    if (failure === null || ENDS_RUN.has(failure.code)) throw error;
    return new Map();
  }
};

const takeSome = async (
  context: RunContext,
  items: readonly WantedItem[],
  takeItem: ReturnType<typeof createTaker>,
): Promise<void> => {
  const { opened, signal } = context;
  const { source, kind } = opened;
  const most = source.readTogether?.most ?? items.length;
  for (let at = 0; at < items.length; at += most) {
    const some = items.slice(at, at + most);
    const read = await readTogether(context, some);
    await mapBounded(
      some,
      kind.pace.parallel,
      (item) => takeItem(item, async () => read.get(item.id) ?? source.read(readItemOf(item), signal)),
      signal,
    );
  }
};

const REMOVED_AT_ONCE = 200;

export const removeWhatIsGone = async ({ deps, run, signal }: RunContext): Promise<void> => {
  let some = false;
  while (!signal.aborted && (await deps.store.removeGone(run, REMOVED_AT_ONCE))) some = true;
  if (some) deps.removed();
};

/** Resolves with the time at which something wanted may be tried again; null: nothing is wanted any more. */
export const takeWanted = async (context: RunContext): Promise<number | null> => {
  const { deps, run, opened, signal } = context;
  const takeItem = createTaker(context);
  const most = Math.max(opened.kind.pace.parallel * 4, opened.source.readTogether?.most ?? 0);
  for (;;) {
    signal.throwIfAborted();
    const room = MOST_WAITING - (await deps.store.waitingDocuments(run.connection));
    if (room <= 0) {
      await deps.pause(FULL_PAUSE_MS, signal);
      continue;
    }
    const items = await deps.store.wanted(run.connection, Math.min(room, most));
    if (items.length > 0) {
      await takeSome(context, items, takeItem);
      deps.submitted();
      continue;
    }
    const dueAt = await deps.store.nextWantedAt(run.connection);
    if (dueAt === null || dueAt - deps.now() > LONGEST_ITEM_WAIT_MS) return dueAt;
    await deps.pause(Math.max(1, dueAt - deps.now()), signal);
  }
};
