// Finds the Memoir that a command is about: a remote one, the one that runs on the folder, or the folder itself.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoirError } from '../errors.ts';
import { type Client, folderClient, httpClient } from './client.ts';
import { CommandFailure, misused } from './failure.ts';
import type { Host, Plan, Running } from './host.ts';
import type { CommonOptions } from './options.ts';
import type { Print } from './print.ts';

export interface Purpose {
  /** A folder that does not exist is made; otherwise its absence is more likely a slip. */
  creates?: boolean;
}

/** How long another command on the same folder is waited for. */
const PATIENCE_MS = 60_000;
const SOON_MS = 1_500;
const POLL_MS = 50;

/** The address of a server elsewhere; a flag says more than the environment. */
function addressOf(options: CommonOptions, host: Host): string | null {
  if (options.url !== undefined && options.dataDir !== undefined) {
    throw misused('--url names a server and --data-dir a folder on this machine: give one of them.');
  }
  return options.url ?? ((options.dataDir === undefined && host.env.MEMOIR_URL) || null);
}

export const isRemote = (options: CommonOptions, host: Host): boolean => addressOf(options, host) !== null;

function remote(options: CommonOptions, host: Host): Client | null {
  const url = addressOf(options, host);
  if (url === null) return null;
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    throw misused(`${url} is no http or https address. Give one as in --url https://memory.example.org.`);
  }
  const key = options.apiKey ?? host.env.MEMOIR_API_KEY;
  if (!key) throw misused(`${url} wants a key: give it with --api-key or in MEMOIR_API_KEY.`);
  return httpClient(url, key);
}

const isTaken = (error: unknown): boolean => error instanceof MemoirError && error.status === 409;

async function openFolder(plan: Plan, options: CommonOptions, host: Host, print: Print): Promise<Client> {
  const memoir = await plan.open();
  if (memoir.firstKey !== null && memoir.firstKey !== host.env.MEMOIR_API_KEY) {
    print.note(`A new data folder: ${plan.dataDir}. Its key, shown this once: ${memoir.firstKey}`);
  }
  return folderClient(memoir, options.apiKey ?? memoir.localToken);
}

const stillTaken = (plan: Plan, run: Running | null): CommandFailure => {
  const who = run === null ? 'another memoir command' : `another memoir command (process ${run.pid})`;
  return new CommandFailure(
    `The data folder ${plan.dataDir} is in use by ${who} that does not finish. Wait for it, or run "memoir serve", which commands share.`,
  );
};

function mustExist(plan: Plan, host: Host): void {
  if (existsSync(plan.dataDir)) return;
  throw new CommandFailure(
    `There is no data folder at ${plan.dataDir}. Start one with "${host.invocation} serve" or "${host.invocation} add", or name another with --data-dir or --url.`,
  );
}

/** Two commands at once take turns: the second waits until the first has finished or listens. */
async function onThisMachine(plan: Plan, options: CommonOptions, host: Host, print: Print): Promise<Client> {
  const began = Date.now();
  for (let waited = 0; waited < PATIENCE_MS; waited = Date.now() - began) {
    const run = host.running(plan.dataDir);
    if (run?.url) return httpClient(run.url, options.apiKey ?? run.token);
    if (run === null) {
      try {
        return await openFolder(plan, options, host, print);
      } catch (error) {
        // Somebody else was faster.
        if (!isTaken(error)) throw error;
      }
    }
    if (waited > SOON_MS) print.progress(`Waiting for another memoir command on ${plan.dataDir} …`);
    await sleep(POLL_MS);
  }
  throw stillTaken(plan, host.running(plan.dataDir));
}

export async function connect(
  options: CommonOptions,
  host: Host,
  print: Print,
  { creates = false }: Purpose = {},
): Promise<Client> {
  const elsewhere = remote(options, host);
  if (elsewhere !== null) return elsewhere;
  const plan = host.plan({
    quiet: true,
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
  });
  if (!creates) mustExist(plan, host);
  return onThisMachine(plan, options, host, print);
}
