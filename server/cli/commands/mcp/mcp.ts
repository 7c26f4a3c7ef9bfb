// memoir mcp: serves the tools for agents over standard input and output.

import type { Command } from 'commander';
import { pause } from '../../../lib/async/wait.ts';
import { type AgentOptions, openAgent } from '../../connection/agent.ts';
import type { Host } from '../../host.ts';
import { examples } from '../../options.ts';
import { createPrint } from '../../output/print.ts';
import { onSignals } from '../../signals.ts';
import { mcpInstallCommand } from './install.ts';
import { mcpUninstallCommand } from './uninstall.ts';

/** A program that only asks who answers ends the command within this time; the folder is then left alone. */
const LEAVING_MS = 50;

const serveAgent = async (options: AgentOptions, host: Host): Promise<void> => {
  const print = createPrint(false);
  const stopping = onSignals(() => print.note('Ended at once.'));
  const agent = openAgent(options, host, print);
  const [opening, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = new AbortController();
  /**
   * Programs give up on a command that answers late, so the first answer goes out before the folder is opened. It is
   * opened before the first call, so that a failure to open it ends the command early.
   */
  const openEarly = async (asked: Promise<unknown>): Promise<void> => {
    await asked;
    await answered.promise;
    await pause(LEAVING_MS, ended.signal);
    if (!ended.signal.aborted) await agent.warm();
  };
  const session = () => {
    const asked = agent.session();
    opening.resolve(openEarly(asked));
    return asked;
  };
  const stopped = Promise.race([stopping.asked, opening.promise.then(() => stopping.asked)]);
  try {
    await host.serveTools({ session, answered: answered.resolve, stopped, note: print.note });
  } finally {
    ended.abort();
    stopping.limit(() => print.note('Stopping took too long. The next start continues the unfinished work.'));
    await agent.close();
  }
};

export const mcpCommand = (program: Command, host: Host): void => {
  const command = program
    .command('mcp')
    .summary('serve the tools for agents over standard input and output')
    .description(
      'Serves the tools for agents (MCP) over standard input and output, for the data folder, the server that holds it, or a remote server. Programs start this command themselves after "memoir mcp install".',
    )
    .option('-t, --tag <tag>', 'the container tag for calls that name none')
    .option('--data-dir <folder>', 'the data folder (default: MEMOIR_DATA_DIR, or .memoir)')
    .option('--url <address>', 'the address of a remote server (or MEMOIR_URL)')
    .option('--api-key <key>', 'the API key (or MEMOIR_API_KEY for a remote server)')
    .helpOption('-h, --help', 'show this help')
    .enablePositionalOptions();
  examples(command, [
    'memoir mcp --data-dir /home/ada/.memoir',
    'memoir mcp --url https://memory.example.org --api-key sm_…',
    'memoir mcp install claude-code',
  ]).action((options: AgentOptions) => serveAgent(options, host));
  mcpInstallCommand(command, host);
  mcpUninstallCommand(command, host);
};
