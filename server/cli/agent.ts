// Who calls, when agents reach the tools through a command: the session behind standard input and output.
import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentSession, Refused } from '../../tools/agent.ts';
import { getSession } from '../../tools/session/get.ts';
import { MemoirError } from '../errors.ts';
import { DEFAULT_TAG } from '../lib/default-tag.ts';
import { folderClient, httpClient } from './client.ts';
import { isRemote, remoteClient } from './connect.ts';
import { CommandFailure } from './failure.ts';
import type { Host, Plan } from './host.ts';
import type { Print } from './print.ts';
import { type Caller, createSteady } from './steady.ts';
import { takeTurn } from './turn.ts';

export interface AgentOptions {
  url?: string;
  apiKey?: string;
  dataDir?: string;
  tag?: string;
}

export interface Agent {
  session(): Promise<AgentSession>;
  /** Begins to open what is needed, so that the first call need not wait for all of it. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** A host may be started before the server that it asks: the machine has just been turned on. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 500;

function refusal(error: unknown): unknown {
  if (error instanceof MemoirError) {
    return new Refused(error.status, [error.message, error.details].filter(Boolean).join(' '), error);
  }
  if (!(error instanceof CommandFailure)) return error;
  const { status } = error.facts;
  return new Refused(typeof status === 'number' ? status : 503, error.message, error);
}

const sessionWith = (client: Caller, tags: readonly string[] | null, tag?: string): AgentSession => ({
  tags,
  defaultTag: tag ?? tags?.[0] ?? DEFAULT_TAG,
  async ask(operation, input) {
    try {
      return await client.call(operation, input as never);
    } catch (error) {
      throw refusal(error);
    }
  },
});

async function tagsOf(client: Caller): Promise<readonly string[] | null> {
  const began = performance.now();
  for (;;) {
    try {
      const { containerTags } = await client.call(getSession, {});
      return containerTags?.map(({ containerTag }) => containerTag) ?? null;
    } catch (error) {
      const unreachable = error instanceof CommandFailure && error.facts.status === undefined;
      if (!unreachable || performance.now() - began > PATIENCE_MS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * The folder of this machine. Whoever comes first opens it and lets the others in by a port of its own, so
 * that there is never a second writer. Its first key is not told: what a host hears it keeps in its log.
 */
const folderHome =
  (plan: Plan, options: AgentOptions, host: Host, print: Print) => async (): Promise<Caller> => {
    const turn = await takeTurn({ ...plan, open: () => plan.open({ serving: true }) }, host, print);
    if ('url' in turn) return httpClient(turn.url, options.apiKey ?? turn.token);
    const { memoir } = turn;
    await memoir.listen();
    return folderClient(memoir, options.apiKey ?? memoir.localToken, 'mcp');
  };

export function openAgent(options: AgentOptions, host: Host, print: Print): Agent {
  const far = isRemote(options, host) ? remoteClient(options, host) : null;
  const local = { host: '127.0.0.1', port: '0', quiet: true };
  const dataDir = options.dataDir === undefined ? {} : { dataDir: options.dataDir };
  const client = far ?? createSteady(folderHome(host.plan({ ...local, ...dataDir }), options, host, print));
  // The owner of the folder may do everything; only a key has to be asked about.
  const isOwner = far === null && options.apiKey === undefined;
  let tags: Promise<readonly string[] | null> | undefined;
  return {
    async session() {
      tags ??= isOwner ? Promise.resolve(null) : tagsOf(client);
      return sessionWith(client, await tags, options.tag);
    },
    warm: async () => ('opened' in client ? client.opened() : undefined),
    close: () => client.close(),
  };
}
