// The loop that takes documents from queued to done. Every step can be run again; nothing is lost on the way.
import type { ReadProgress } from '../../adapters/extract/port.ts';
import type { Claim, IndexedDocument, IngestStore } from '../../adapters/store/ingest-port.ts';
import type { Failure } from '../../adapters/store/port.ts';
import { IngestError } from '../../errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { createWake, nextTurn } from '../../lib/wake.ts';
import { ATTEMPTS, retryDelay } from './backoff.ts';
import { createBeside } from './beside.ts';
import { demandOf, embeddingNews, supply } from './embedding.ts';
import { indexLong, isLong, type LongSteps } from './long.ts';
import { needsExtraction } from './outline.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { Readers } from './reading.ts';
import { type FilledSpace, outcome, type Plan, plan, type Vectors, withdrawn } from './reconcile.ts';
import { createReports } from './reports.ts';
import { isWhole, slicesOf } from './slices.ts';

export interface PipelineDeps {
  store: IngestStore;
  /** For files, pages and addresses. */
  readers: Readers;
  /** Into which new content is embedded now; may change while running (reindex). */
  spaces: () => readonly FilledSpace[];
  /** How long the passages of new content are to be, in characters; null, or left out: as long as they are best. */
  chunkSize?: () => Promise<number | null>;
  boot: string;
  now: () => number;
  random: () => number;
  log: Pick<Logger, 'warn' | 'error'>;
  /** Documents were committed: the outbox has work. */
  committed: () => void;
  /** Originals are nobody's any more. */
  dropped?: () => void;
}

export interface Pipeline {
  start(): void;
  /** There may be something to do. */
  wake(): void;
  /** Finishes what is in hand within the time, hands the rest back. */
  stop(graceMs: number): Promise<void>;
}

/** A share of small documents is one commit. */
const SHARE = { documents: 64, containers: 16 };
const SMALL_SHARE = { documents: 16, containers: 16 };
/** Files, pages and addresses that are read at once; they wait for processes and for the web, mostly. */
const READ_AT_ONCE = 4;
/** Cutting so many characters takes its time. */
const LONG_TEXT = 400_000;
const IDLE_MS = 30_000;
/** Work on the ingest thread yields to waiting adds at least this often. */
const SLICE_MS = 4;

const failureOf = (error: unknown): Failure & { retryAfterMs?: number } => {
  if (error instanceof IngestError)
    return {
      code: error.code,
      message: error.message,
      retryable: error.retryable,
      ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    };
  return {
    code: 'internal_error',
    message:
      'Something went wrong inside Memoir while reading this document; the log has the cause. Send it again to retry.',
    retryable: true,
  };
};

/** Its text stands in the place of the one that its chunks are of. */
const isReplaced = ({ chunks, submissions }: Claim): boolean =>
  chunks.length > 0 && submissions.some(({ mode }) => mode === 'replace');

export const createPipeline = (deps: PipelineDeps): Pipeline => {
  const { store } = deps;
  const wake = createWake();
  const stopping = new AbortController();
  const inHand = new Set<Claim>();
  /** Nobody works on these any more, and the store could not be told: they are handed back as soon as it can. */
  const stranded = new Set<Claim>();
  const extracting = new Set<Promise<void>>();
  const beside = createBeside(deps, stopping.signal);
  const reports = createReports(deps);
  let running: Promise<void> | null = null;
  let chunkSize: number | null = null;

  const warn = (claim: Claim, { code }: Failure): void => {
    const attempts = claim.attempts + 1;
    deps.log.warn({ document: claim.id, code, attempts }, 'A document could not be read.');
  };

  const commit = async (documents: readonly IndexedDocument[]): Promise<void> => {
    for (const slice of slicesOf(documents)) {
      await store.commit(slice, deps.spaces());
      for (const { claim, failure } of slice.filter(isWhole)) {
        inHand.delete(claim);
        if (failure !== null) warn(claim, failure);
      }
      deps.committed();
      if (slice.some(({ dropsFile }) => dropsFile)) deps.dropped?.();
    }
  };

  const settle = async (claim: Claim, error: unknown): Promise<void> => {
    const { retryAfterMs, ...failure } = failureOf(error);
    if (failure.code === 'internal_error')
      deps.log.error({ document: claim.id, err: error }, 'Reading a document failed in a way that is a bug.');
    if (failure.retryable && claim.attempts + 1 < ATTEMPTS) {
      const delay = retryDelay(claim.attempts, retryAfterMs, deps.random);
      await store.retryLater(claim, failure, deps.now() + Math.round(delay));
    } else if (isReplaced(claim)) return commit([withdrawn(claim, failure)]);
    else await store.fail(claim, failure);
    warn(claim, failure);
    inHand.delete(claim);
  };

  const giveUpOrRetry = async (claim: Claim, error: unknown): Promise<void> => {
    if (stopping.signal.aborted) return;
    try {
      await settle(claim, error);
    } catch (cause) {
      stranded.add(claim);
      wake.call();
      deps.log.error(
        { document: claim.id, err: cause },
        'The store did not take a failure; it is handed back.',
      );
    }
  };

  const handBack = async (): Promise<void> => {
    const claims = [...stranded];
    if (claims.length === 0) return;
    await store.release(claims);
    for (const claim of claims) {
      stranded.delete(claim);
      inHand.delete(claim);
    }
  };

  const embedInto = async (space: FilledSpace, plans: readonly Plan[]): Promise<Vectors> => {
    const demand = await demandOf(store, space, plans);
    await reports.tell(embeddingNews(demand, 0), space.keepExact);
    let embedded = 0;
    return supply(space, demand, stopping.signal, (count) => {
      embedded += count;
      void reports.tell(embeddingNews(demand, embedded));
    });
  };

  const embed = async (plans: readonly Plan[]): Promise<IndexedDocument[]> => {
    const filled: { id: number; vectors: Vectors }[] = [];
    for (const space of deps.spaces()) {
      const vectors = space.serves ? await embedInto(space, plans) : await beside.vectorsFor(space, plans);
      filled.push({ id: space.id, vectors });
    }
    return plans.map((each) => outcome(each, filled));
  };

  /** One document's trouble must not become its neighbours': after a failure each is embedded alone. */
  const embedApart = async (plans: readonly Plan[]): Promise<IndexedDocument[]> => {
    try {
      return await embed(plans);
    } catch (error) {
      const [only, ...others] = plans;
      if (only && others.length === 0) {
        await giveUpOrRetry(only.prepared.claim, error);
        return [];
      }
      if (error instanceof IngestError && error.retryable) {
        for (const each of plans) await giveUpOrRetry(each.prepared.claim, error);
        return [];
      }
      const documents: IndexedDocument[] = [];
      for (const each of plans) documents.push(...(await embedApart([each])));
      return documents;
    }
  };

  const commitOrRetry = async (documents: readonly IndexedDocument[]): Promise<void> => {
    try {
      await commit(documents);
    } catch (error) {
      for (const { claim } of documents) if (inHand.has(claim)) await giveUpOrRetry(claim, error);
    }
  };

  const context = () => deps.spaces()[0]?.embedder.context ?? 'both';

  const long: LongSteps = {
    context,
    embed: async (one) => (await embedApart([one]))[0] ?? null,
    async commit(document) {
      await commitOrRetry([document]);
      return document.slice?.last === true || inHand.has(document.claim);
    },
  };

  const indexApart = async (prepared: Prepared): Promise<void> => {
    try {
      await indexLong(prepared, long);
    } catch (error) {
      await giveUpOrRetry(prepared.claim, error);
    }
  };

  const index = async (all: readonly Prepared[]): Promise<void> => {
    const prepared = all.filter((each) => !isLong(each));
    const plans: Plan[] = [];
    const chunking = prepared.map(({ claim }) => ({ claim, step: 'chunking' as const }));
    await reports.tell(chunking);
    let since = performance.now();
    for (const each of prepared) {
      try {
        plans.push(plan(each, context()));
      } catch (error) {
        await giveUpOrRetry(each.claim, error);
      }
      if (performance.now() - since > SLICE_MS) {
        await reports.tell(chunking);
        await nextTurn();
        since = performance.now();
      }
    }
    await commitOrRetry(await embedApart(plans));
    for (const each of all.filter(isLong)) await indexApart(each);
  };

  const chunking = (claim: Claim, characters: number): Promise<void> =>
    reports.tell([{ claim, step: 'chunking' }], characters >= LONG_TEXT);

  const reading = (claim: Claim, progress: ReadProgress): void =>
    void reports.tell([{ claim, step: 'extracting', progress }]);

  const read = async (claim: Claim): Promise<Prepared[]> => {
    try {
      const how = { readers: deps.readers, signal: stopping.signal, chunking, reading, chunkSize };
      return [await prepare(claim, how)];
    } catch (error) {
      await giveUpOrRetry(claim, error);
      return [];
    }
  };

  /** Slow reading goes on beside the loop, so that plain text never waits behind it. */
  const extractBeside = async (claim: Claim): Promise<void> => {
    while (extracting.size >= READ_AT_ONCE) await Promise.race(extracting);
    const work = read(claim)
      .then(index)
      .catch((error) => giveUpOrRetry(claim, error))
      .finally(() => {
        extracting.delete(work);
        wake.call();
      });
    extracting.add(work);
  };

  /** Asked after the claim: what was sent after a change of the settings is cut as they say. */
  const learnChunkSize = async (claims: readonly Claim[]): Promise<boolean> => {
    try {
      chunkSize = (await deps.chunkSize?.()) ?? null;
      return true;
    } catch (error) {
      for (const claim of claims) await giveUpOrRetry(claim, error);
      return false;
    }
  };

  const round = async (claims: readonly Claim[]): Promise<void> => {
    for (const claim of claims) inHand.add(claim);
    reports.begin(claims);
    if (!(await learnChunkSize(claims))) return;
    const prepared: Prepared[] = [];
    let since = performance.now();
    for (const claim of claims) {
      if (needsExtraction(claim)) await extractBeside(claim);
      else prepared.push(...(await read(claim)));
      if (performance.now() - since > SLICE_MS) {
        await nextTurn();
        since = performance.now();
      }
    }
    await index(prepared);
  };

  const waitForWork = async (): Promise<void> => {
    const due = await store.nextDue(extracting.size < READ_AT_ONCE);
    const ms = due === null ? IDLE_MS : Math.min(IDLE_MS, Math.max(20, due - deps.now()));
    await wake.sleep(ms);
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await handBack();
        const share = store.crowded() ? SMALL_SHARE : SHARE;
        const claims = await store.claim(deps.boot, { ...share, heavy: READ_AT_ONCE - extracting.size });
        if (claims.length > 0) await round(claims);
        else await waitForWork();
      } catch (error) {
        deps.log.error({ err: error }, 'A round of ingestion failed; the next begins in a second.');
        await wake.sleep(1000);
      }
    }
  };

  return {
    start() {
      running ??= loop();
    },
    wake: wake.call,
    async stop(graceMs) {
      stopping.abort(new Error('The server is stopping'));
      wake.call();
      const settled = Promise.all([running, ...extracting]);
      await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
      await store.release([...inHand]);
    },
  };
};
