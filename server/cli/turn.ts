// Processes on one data folder take turns: a command waits for the one before it, and uses the server that listens.
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoirError } from '../errors.ts';
import type { Memoir } from '../service.ts';
import { CommandFailure } from './failure.ts';
import type { Host, Plan, Running } from './host.ts';
import type { Print } from './print.ts';

/** The folder, opened for us; or the server that has it already. */
export type Turn = { memoir: Memoir } | { url: string; token: string };

/** How long another command on the same folder is waited for. */
const PATIENCE_MS = 60_000;
const SOON_MS = 1_500;
const POLL_MS = 50;

const isTaken = (error: unknown): boolean => error instanceof MemoirError && error.status === 409;

/** Null: somebody else was faster. */
async function tryOpen(plan: Plan): Promise<Turn | null> {
  try {
    return { memoir: await plan.open() };
  } catch (error) {
    if (isTaken(error)) return null;
    throw error;
  }
}

const stillTaken = (plan: Plan, run: Running | null): CommandFailure => {
  const who = run === null ? 'another memoir command' : `another memoir command (process ${run.pid})`;
  return new CommandFailure(
    `The data folder ${plan.dataDir} is in use by ${who} that does not finish. Wait for it, or run "memoir serve", which commands share.`,
  );
};

export async function takeTurn(plan: Plan, host: Host, print: Print): Promise<Turn> {
  const began = performance.now();
  for (let waited = 0; waited < PATIENCE_MS; waited = performance.now() - began) {
    const run = host.running(plan.dataDir);
    if (run?.url) return { url: run.url, token: run.token };
    const turn = run === null ? await tryOpen(plan) : null;
    if (turn !== null) return turn;
    if (waited > SOON_MS) print.progress(`Waiting for another memoir command on ${plan.dataDir} …`);
    await sleep(POLL_MS);
  }
  throw stillTaken(plan, host.running(plan.dataDir));
}
