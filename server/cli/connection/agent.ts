// The session of agents that reach the tools through `memoir mcp`.

import type { AgentSession } from '../../../tools/operation.ts';
import { getSession } from '../../../tools/session/get.ts';
import { Refused } from '../../../tools/tool.ts';
import { asRefused } from '../../calls/refused.ts';
import { DEFAULT_TAG } from '../../core/default-tag.ts';
import { pause } from '../../lib/async/wait.ts';
import { CommandFailure } from '../failure.ts';
import type { Host, ServerPlan } from '../host.ts';
import type { Print } from '../output/print.ts';
import { folderClient, httpClient } from './client.ts';
import { isRemote, remoteClient } from './connect.ts';
import { openFolderOrServer } from './folder-access.ts';
import { createReconnectingClient, type ToolCaller } from './reconnect.ts';

export interface AgentOptions {
  url?: string;
  apiKey?: string;
  dataDir?: string;
  tag?: string;
}

export interface Agent {
  session(): Promise<AgentSession>;
  /** Starts to open the folder early, so that the first call waits less. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** At boot, a program may start before the server that it calls. */
const SERVER_START_MS = 20_000;
const PAUSE_MS = 500;

const asRefusedCall = (error: unknown): unknown => {
  if (!(error instanceof CommandFailure)) return asRefused(error);
  const { status } = error.facts;
  return new Refused(typeof status === 'number' ? status : 503, error.message, error);
};

const sessionWith = (client: ToolCaller, tags: readonly string[] | null, tag?: string): AgentSession => ({
  tags,
  defaultTag: tag ?? tags?.[0] ?? DEFAULT_TAG,
  async ask(operation, input) {
    try {
      return await client.call(operation, input as never);
    } catch (error) {
      throw asRefusedCall(error);
    }
  },
});

const sessionTags = async (client: ToolCaller): Promise<readonly string[] | null> => {
  const began = performance.now();
  for (;;) {
    try {
      const { containerTags } = await client.call(getSession, {});
      return containerTags?.map(({ containerTag }) => containerTag) ?? null;
    } catch (error) {
      const unreachable = error instanceof CommandFailure && error.facts.status === undefined;
      if (!unreachable || performance.now() - began > SERVER_START_MS) throw error;
      await pause(PAUSE_MS);
    }
  }
};

/**
 * Finds the holder of the local folder, or opens the folder. The first process listens on a port of its own and
 * serves the others, so that there is one writer. Its first key is not printed, because programs log stderr.
 */
const openLocalFolder =
  (plan: ServerPlan, options: AgentOptions, host: Host, print: Print) => async (): Promise<ToolCaller> => {
    const turn = await openFolderOrServer({ ...plan, open: () => plan.open({ serving: true }) }, host, print);
    if ('url' in turn) return httpClient(turn.url, options.apiKey ?? turn.token);
    const { memoir } = turn;
    await memoir.listen();
    return folderClient(memoir, options.apiKey ?? memoir.localToken, 'mcp');
  };

export const openAgent = (options: AgentOptions, host: Host, print: Print): Agent => {
  const remote = isRemote(options, host) ? remoteClient(options, host) : null;
  const local = { host: '127.0.0.1', port: '0', quiet: true };
  const dataDir = options.dataDir === undefined ? {} : { dataDir: options.dataDir };
  const client =
    remote ??
    createReconnectingClient(openLocalFolder(host.plan({ ...local, ...dataDir }), options, host, print));
  // The owner of the folder has full access; only a key can be bound to tags.
  const isOwner = remote === null && options.apiKey === undefined;
  let tags: Promise<readonly string[] | null> | undefined;
  return {
    async session() {
      tags ??= isOwner ? Promise.resolve(null) : sessionTags(client);
      return sessionWith(client, await tags, options.tag);
    },
    warm: async () => ('opened' in client ? client.opened() : undefined),
    close: () => client.close(),
  };
};
