// memoir mcp: the tools for agents over standard input and output.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { type AgentOptions, openAgent } from '../agent.ts';
import type { Host } from '../host.ts';
import { examples } from '../options.ts';
import { createPrint } from '../print.ts';
import { onSignals } from '../stop.ts';
import { mcpInstallCommand } from './mcp-install.ts';
import { mcpUninstallCommand } from './mcp-uninstall.ts';

/** Hosts give up on a command that is slow to greet them, and opening a folder takes all of the processor. */
const ANSWER_FIRST_MS = 50;

async function serve(options: AgentOptions, host: Host): Promise<void> {
  const print = createPrint(false);
  const stopping = onSignals(() => print.note('Ended at once.'));
  const agent = openAgent(options, host, print);
  const opening = Promise.withResolvers<void>();
  /** A folder that cannot be opened, or a key that is refused, ends the command before the first call. */
  const session = () => {
    const asked = agent.session();
    opening.resolve(asked.then(() => sleep(ANSWER_FIRST_MS)).then(agent.warm));
    return asked;
  };
  const stopped = Promise.race([stopping.asked, opening.promise.then(() => stopping.asked)]);
  try {
    await host.serveTools({ session, stopped, note: print.note });
  } finally {
    stopping.limit(() =>
      print.note('Stopping took too long; the next start takes up what was not finished.'),
    );
    await agent.close();
  }
}

export function mcpCommand(program: Command, host: Host): void {
  const command = program
    .command('mcp')
    .summary('give agents the tools over standard input and output')
    .description(
      'Serves the tools for agents (MCP) over standard input and output: of the data folder, or of the server that holds it, or of a server elsewhere. Hosts start this command themselves; "memoir mcp install" tells them to.',
    )
    .option('-t, --tag <tag>', 'the container tag to use where an agent names none')
    .option('--data-dir <folder>', 'the data folder (default: MEMOIR_DATA_DIR, else .memoir)')
    .option('--url <address>', 'a server elsewhere (or MEMOIR_URL)')
    .option('--api-key <key>', 'the key to use (or MEMOIR_API_KEY, with a server elsewhere)')
    .helpOption('-h, --help', 'show this help')
    .enablePositionalOptions();
  examples(command, [
    'memoir mcp --data-dir /home/ada/.memoir',
    'memoir mcp --url https://memory.example.org --api-key sm_…',
    'memoir mcp install claude-code',
  ]).action((options: AgentOptions) => serve(options, host));
  mcpInstallCommand(command, host);
  mcpUninstallCommand(command, host);
}
