// Keeps a local Chroma running: starts it, watches it, restarts it with growing waits, stops it.

import { createGate } from '../../../../lib/async/gate.ts';
import { sharedRun } from '../../../../lib/async/shared-run.ts';
import { pause } from '../../../../lib/async/wait.ts';
import type { VectorIndexState } from '../../port.ts';
import { emptyChromaFolder } from './chroma-folder.ts';
import { type ChromaExit, type ChromaLog, type ChromaRun, launchChroma } from './launch.ts';
import { fetchOlderBinding, isOlderBindingMissing } from './older-binding.ts';
import { watchHealth } from './watch-health.ts';

export interface ChromaTiming {
  /** The longest wait for another Chroma to leave the folder. */
  readonly lockWaitMs: number;
  readonly startLimitMs: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** A run of this length resets the count of failures. */
  readonly healthyMs: number;
  readonly heartbeatMs: number;
  /** A heartbeat that takes longer counts as missed. */
  readonly silenceMs: number;
  readonly stopMs: number;
}

export interface ChromaServerOptions {
  readonly folder: string;
  readonly log: ChromaLog;
  readonly timing?: Partial<ChromaTiming>;
}

export interface ChromaServer {
  /** The address at which it answers; null while it does not. It changes with each start. */
  url(): string | null;
  pid(): number | null;
  state(): VectorIndexState;
  /** Resolves when it answers; rejects with a sentence when it cannot be started. */
  ready(signal?: AbortSignal): Promise<void>;
  /** Registers a listener to changes of `url()`; returns a function that removes it. */
  watch(listener: (url: string | null) => void): () => void;
  /** Chroma keeps the memory and the files of a dropped collection until it ends. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export const CHROMA_TIMING: ChromaTiming = {
  lockWaitMs: 5_000,
  startLimitMs: 60_000,
  firstPauseMs: 250,
  longestPauseMs: 15_000,
  healthyMs: 60_000,
  heartbeatMs: 1_000,
  silenceMs: 3_500,
  stopMs: 2_000,
};

/** After this many starts that end before the first answer, no further start is tried. */
const HOPELESS_STARTS = 3;

export const pauseBefore = (failures: number, timing: ChromaTiming): number =>
  Math.min(timing.longestPauseMs, timing.firstPauseMs * 2 ** Math.min(failures - 1, 16));

/**
 * Killed while it writes an index file, Chroma may crash on that file at every query from then on. So a second
 * crash within the hour empties the folder; a third is not the folder's fault.
 */
const CRASH_WINDOW_MS = 3_600_000;

/** The supervision of the runs, and its listeners. */
interface Keeping {
  readonly folder: string;
  readonly log: ChromaLog;
  readonly timing: ChromaTiming;
  readonly signal: AbortSignal;
  /** A child exists, or no longer does. */
  running(run: ChromaRun | null): void;
  answering(run: ChromaRun): void;
  /** A heartbeat was missed; the run may still recover. */
  silent(): void;
  /** `hopeless`: callers that wait for the server get the error. */
  ended(exit: ChromaExit, hopeless: boolean): void;
}

interface Round {
  readonly exit: ChromaExit;
  readonly answered: boolean;
}

/** On older systems the server is fetched before its first start, unless `npm install` has done so. */
const prepareBinding = async (log: ChromaLog, signal: AbortSignal): Promise<void> => {
  if (!isOlderBindingMissing()) return;
  log(
    'info',
    'Fetching the Chroma server for this older system (17 MB); searches compare exactly meanwhile.',
  );
  await fetchOlderBinding({ signal });
};

/** One run, from its start to its end; `again`: after one that failed. */
const runOnce = async (keeping: Keeping, again: boolean): Promise<Round> => {
  const { folder, log, timing, signal } = keeping;
  try {
    const began = performance.now();
    await prepareBinding(log, signal);
    const run = await launchChroma({ ...timing, folder, log });
    keeping.running(run);
    if (signal.aborted) void run.stop(timing.stopMs);
    const answered = (await run.answered) && !signal.aborted;
    if (answered) {
      // After a successful first start the welcome is the first line for the reader.
      log(
        again ? 'info' : 'debug',
        `Chroma answers at ${run.url} after ${Math.round(performance.now() - began)} ms.`,
      );
      keeping.answering(run);
      const beat = (beats: boolean) => (beats ? keeping.answering(run) : keeping.silent());
      void watchHealth(run, { folder, log, timing, beat });
    }
    return { exit: await run.exited, answered };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      exit: { text: `Chroma could not be started: ${why}`, refused: true, final: false, crashed: false },
      answered: false,
    };
  } finally {
    keeping.running(null);
  }
};

/** Called at each end of a run; empties the folder if it must be damaged. */
const createHealing = ({ folder, log, timing }: Keeping) => {
  let crashes: number[] = [];
  let emptied = Number.NEGATIVE_INFINITY;
  return async (exit: ChromaExit): Promise<void> => {
    if (!exit.crashed) return;
    const now = Date.now();
    crashes = [...crashes.filter((at) => now - at < CRASH_WINDOW_MS), now];
    if (crashes.length < 2 || now - emptied < CRASH_WINDOW_MS) return;
    try {
      await emptyChromaFolder(folder, timing.lockWaitMs);
      emptied = now;
      log('error', 'Chroma crashed twice on its folder: it was emptied, and is to be filled again from SQL.');
    } catch (error) {
      log(
        'error',
        `Chroma's damaged folder could not be emptied: ${String(error)} Delete ${folder} yourself.`,
      );
    }
  };
};

const keepRunning = async (keeping: Keeping): Promise<void> => {
  const { log, timing, signal } = keeping;
  const heal = createHealing(keeping);
  let failures = 0;
  let silentStarts = 0;
  while (!signal.aborted) {
    const began = Date.now();
    const { exit, answered } = await runOnce(keeping, failures > 0);
    if (signal.aborted) return;
    failures = Date.now() - began >= timing.healthyMs ? 1 : failures + 1;
    silentStarts = answered ? 0 : silentStarts + 1;
    keeping.ended(exit, exit.refused || silentStarts >= HOPELESS_STARTS);
    if (exit.final) return log('error', exit.text);
    const pauseMs = pauseBefore(failures, timing);
    await heal(exit);
    log('warn', `${exit.text} Starting it again in ${pauseMs} ms.`);
    await pause(pauseMs, signal);
  }
};

/** The state of the server as callers see it, and the listeners to its changes. */
const createStatus = () => {
  const gate = createGate();
  const watchers = new Set<(url: string | null) => void>();
  let state: VectorIndexState = { status: 'starting' };
  let url: string | null = null;

  const move = (address: string | null) => {
    if (address === url) return;
    url = address;
    for (const watcher of watchers) watcher(address);
  };

  return {
    gate,
    watchers,
    url: () => url,
    state: (): VectorIndexState => ({ ...state }),
    up(address: string) {
      state = { status: 'ready' };
      gate.open();
      move(address);
    },
    silent(detail: string) {
      state = { status: 'down', detail };
    },
    down(detail: string) {
      if (url !== null) gate.close();
      state = { status: 'down', detail };
      move(null);
    },
  };
};

export const createChromaServer = (options: ChromaServerOptions): ChromaServer => {
  const { folder, log } = options;
  const timing: ChromaTiming = { ...CHROMA_TIMING, ...options.timing };
  const status = createStatus();
  let run: ChromaRun | null = null;
  let stopped = false;
  let halting = new AbortController();

  const keep = (): Promise<void> =>
    keepRunning({
      ...{ folder, log, timing, signal: halting.signal },
      running(current) {
        run = current;
      },
      answering: (current) => status.up(current.url),
      silent: () => status.silent('Chroma does not answer'),
      ended(exit, hopeless) {
        status.down(exit.text);
        if (hopeless) status.gate.refuse(exit.text, exit.final);
      },
    });

  let kept = keep();

  const halt = async (why: string): Promise<void> => {
    halting.abort();
    await run?.stop(timing.stopMs);
    await kept;
    status.down(why);
  };

  const restart = sharedRun(async () => {
    await halt('Chroma starts again without the indexes that were dropped.');
    if (stopped) return;
    halting = new AbortController();
    kept = keep();
  });

  return {
    url: status.url,
    pid: () => run?.pid ?? null,
    state: status.state,
    ready: status.gate.pass,
    watch(listener) {
      status.watchers.add(listener);
      return () => void status.watchers.delete(listener);
    },
    restart,
    async stop() {
      stopped = true;
      await halt('Chroma was stopped.');
      status.gate.refuse('Chroma was stopped.', true);
    },
  };
};
