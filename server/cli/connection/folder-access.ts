// Access to one data folder by several processes: a command uses the running server, or waits until the folder is free.

import type { Memoir } from '../../calls/memoir.ts';
import { MemoirError } from '../../core/errors.ts';
import { pause } from '../../lib/async/wait.ts';
import { CommandFailure } from '../failure.ts';
import type { Host, Running, ServerPlan } from '../host.ts';
import type { Print } from '../output/print.ts';

/** The folder, opened by this process; or the server that holds it. */
export type FolderAccess = { memoir: Memoir } | { url: string; token: string };

/** The longest wait for another command on the same folder. */
const FOLDER_WAIT_MS = 60_000;
const SOON_MS = 1_500;
const POLL_MS = 50;

const isFolderInUse = (error: unknown): boolean => error instanceof MemoirError && error.status === 409;

/** Null: another process opened it first. */
const openIfFree = async (plan: ServerPlan): Promise<FolderAccess | null> => {
  try {
    return { memoir: await plan.open() };
  } catch (error) {
    if (isFolderInUse(error)) return null;
    throw error;
  }
};

const folderStaysInUse = (plan: ServerPlan, run: Running | null): CommandFailure => {
  const who = run === null ? 'another memoir command' : `another memoir command (process ${run.pid})`;
  return new CommandFailure(
    `The data folder ${plan.dataDir} is in use by ${who} that has not finished after a minute. Wait for it to finish, or run "memoir serve": commands share a running server.`,
  );
};

export const openFolderOrServer = async (
  plan: ServerPlan,
  host: Host,
  print: Print,
): Promise<FolderAccess> => {
  const began = performance.now();
  for (let waited = 0; waited < FOLDER_WAIT_MS; waited = performance.now() - began) {
    const run = host.running(plan.dataDir);
    if (run?.url) return { url: run.url, token: run.token };
    const turn = run === null ? await openIfFree(plan) : null;
    if (turn !== null) return turn;
    if (waited > SOON_MS) print.progress(`Waiting for another memoir command on ${plan.dataDir} …`);
    await pause(POLL_MS);
  }
  throw folderStaysInUse(plan, host.running(plan.dataDir));
};
