// Finds the Memoir that a command is about: a remote one, the one that runs on the folder, or the folder itself.
import { type Client, folderClient, httpClient } from './client.ts';
import { CommandFailure, misused } from './failure.ts';
import type { Host, Plan } from './host.ts';
import type { CommonOptions } from './options.ts';
import type { Print } from './print.ts';
import { takeTurn } from './turn.ts';
import { tellFirstKey } from './welcome.ts';

export interface Purpose {
  /** A folder that does not exist is made; otherwise its absence is more likely a slip. */
  creates?: boolean;
}

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
  return url === null ? null : clientFor(url, options, host);
}

/** A server elsewhere; whether there is one is asked with `isRemote`. */
export function remoteClient(options: CommonOptions, host: Host): Client {
  const client = remote(options, host);
  if (client === null) throw misused('Name the server with --url or MEMOIR_URL.');
  return client;
}

function clientFor(url: string, options: CommonOptions, host: Host): Client {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    throw misused(`${url} is no http or https address. Give one as in --url https://memory.example.org.`);
  }
  const key = options.apiKey ?? host.env.MEMOIR_API_KEY;
  if (!key) throw misused(`${url} wants a key: give it with --api-key or in MEMOIR_API_KEY.`);
  return httpClient(url, key);
}

function mustExist(plan: Plan, host: Host): void {
  if (host.isDataFolder(plan.dataDir)) return;
  throw new CommandFailure(
    `There is no Memoir in ${plan.dataDir}. Start one with "${host.invocation} serve" or "${host.invocation} add", or name another with --data-dir or --url.`,
  );
}

async function onThisMachine(plan: Plan, options: CommonOptions, host: Host, print: Print): Promise<Client> {
  const turn = await takeTurn(plan, host, print);
  if ('url' in turn) return httpClient(turn.url, options.apiKey ?? turn.token);
  tellFirstKey(turn.memoir, plan, host, print);
  return folderClient(turn.memoir, options.apiKey ?? turn.memoir.localToken);
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
