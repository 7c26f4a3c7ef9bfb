// Sends calls at a steady rate, answered or not, and counts them.
import { setTimeout as sleep } from 'node:timers/promises';
import { createCalls } from './calls.ts';

export interface Counts {
  calls: number;
  failed: number;
  documents: number;
}

export interface MixedLoad {
  run(ms: number): Promise<void>;
  counts(): Counts;
}

const SEED = 20;
/** A document that another call deleted at the same time is missing, which is no failure. */
const NO_FAILURE = new Set([404, 409]);

/** Null: it succeeded. */
const failureOf = async (sent: Promise<Response>): Promise<string | null> => {
  try {
    const answer = await sent;
    const body = await answer.text();
    if (answer.ok || NO_FAILURE.has(answer.status)) return null;
    return `${answer.url} answered ${answer.status}: ${body.slice(0, 200)}`;
  } catch (error) {
    return String(error);
  }
};

export const createMixedLoad = (
  server: { url: string; key: string },
  perSecond: number,
  say: (failure: string) => void,
): MixedLoad => {
  const calls = createCalls(server, SEED);
  let sent = 0;
  let failed = 0;
  const sendOne = async (): Promise<void> => {
    sent += 1;
    const failure = await failureOf(calls.send());
    if (failure === null) return;
    failed += 1;
    say(failure);
  };
  return {
    async run(ms) {
      const open = new Set<Promise<void>>();
      const start = performance.now();
      for (let tick = 0; performance.now() - start < ms; tick++) {
        await sleep(Math.max(0, start + (tick * 1000) / perSecond - performance.now()));
        const work = sendOne().finally(() => open.delete(work));
        open.add(work);
      }
      await Promise.all(open);
    },
    counts: () => ({ calls: sent, failed, documents: calls.documents() }),
  };
};
