// Connects a command: to a remote server, to the server that runs on the data folder, or to the folder itself.

import { CommandFailure, misused } from '../failure.ts';
import type { Host, ServerPlan } from '../host.ts';
import type { CommonOptions } from '../options.ts';
import type { Print } from '../output/print.ts';
import { tellFirstKey } from '../output/welcome.ts';
import { type Client, folderClient, httpClient } from './client.ts';
import { openFolderOrServer } from './folder-access.ts';

export interface ConnectPurpose {
  /** True: a missing folder is created. False: a missing folder is an error, probably a typing mistake. */
  creates?: boolean;
}

/** The address of a remote server; an option overrides the environment. */
const remoteAddress = (options: CommonOptions, host: Host): string | null => {
  if (options.url !== undefined && options.dataDir !== undefined) {
    throw misused('--url names a remote server and --data-dir a folder on this machine. Use one of them.');
  }
  return options.url ?? ((options.dataDir === undefined && host.env.MEMOIR_URL) || null);
};

export const isRemote = (options: CommonOptions, host: Host): boolean =>
  remoteAddress(options, host) !== null;

const remoteOrNull = (options: CommonOptions, host: Host): Client | null => {
  const url = remoteAddress(options, host);
  return url === null ? null : clientAt(url, options, host);
};

/** The client of a remote server; check with `isRemote` before. */
export const remoteClient = (options: CommonOptions, host: Host): Client => {
  const client = remoteOrNull(options, host);
  if (client === null) throw misused('Name the server with --url or MEMOIR_URL.');
  return client;
};

const clientAt = (url: string, options: CommonOptions, host: Host): Client => {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    throw misused(
      `${url} is not an http or https address. Use an address such as https://memory.example.org.`,
    );
  }
  const key = options.apiKey ?? host.env.MEMOIR_API_KEY;
  if (!key) throw misused(`${url} needs an API key. Pass it with --api-key or set MEMOIR_API_KEY.`);
  // Some programs pass the reference on when the variable is not set.
  if (/^\$\{[^}]*\}$/.test(key))
    throw misused(
      `The key of ${url} is ${key}, the name of a variable that the program could not replace. Set the variable in the environment in which the program starts.`,
    );
  return httpClient(url, key);
};

const requireDataFolder = (plan: ServerPlan, host: Host): void => {
  if (host.isDataFolder(plan.dataDir)) return;
  throw new CommandFailure(
    `${plan.dataDir} is not a Memoir data folder. Create one with "${host.invocation} serve" or "${host.invocation} add", or name another with --data-dir or --url.`,
  );
};

const localClient = async (
  plan: ServerPlan,
  options: CommonOptions,
  host: Host,
  print: Print,
): Promise<Client> => {
  const turn = await openFolderOrServer(plan, host, print);
  if ('url' in turn) return httpClient(turn.url, options.apiKey ?? turn.token);
  tellFirstKey(turn.memoir, plan, host, print);
  return folderClient(turn.memoir, options.apiKey ?? turn.memoir.localToken);
};

export const connect = async (
  options: CommonOptions,
  host: Host,
  print: Print,
  { creates = false }: ConnectPurpose = {},
): Promise<Client> => {
  const remote = remoteOrNull(options, host);
  if (remote !== null) return remote;
  const plan = host.plan({
    quiet: true,
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
  });
  if (!creates) requireDataFolder(plan, host);
  return localClient(plan, options, host, print);
};
