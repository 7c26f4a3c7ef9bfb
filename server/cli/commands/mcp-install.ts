// memoir mcp install: writes an entry into the settings of a program that makes it start the tools.
import { Argument, type Command } from 'commander';
import { CommandFailure } from '../failure.ts';
import type { Host } from '../host.ts';
import {
  type ChoiceOptions,
  chooseHost,
  hostNames,
  type LaunchOptions,
  launchOf,
  withChoice,
} from '../hosts/choose.ts';
import { examples } from '../options.ts';
import { createPrint } from '../output/print.ts';

interface InstallOptions extends ChoiceOptions, LaunchOptions {
  print?: true;
}

/** Shortens secrets, because the output of a terminal may be seen by others. */
const withoutSecrets = (text: string, entry: Record<string, unknown>): string => {
  const values = Object.values((entry.env ?? entry.environment ?? {}) as Record<string, string>);
  const secrets = values.filter((value) => /^(sm_|sk-)/.test(value));
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, `${secret.slice(0, 6)}…`), text);
};

/** An entry of another MCP server with the same name must not be replaced. */
const isMemoirEntry = (before: string): boolean => /memoir/i.test(before) && /"mcp"/.test(before);

const installEntry = async (typed: string, options: InstallOptions, host: Host): Promise<void> => {
  // Loaded only here, so that other commands start without the parsers.
  const { entryText, openSettingsFile } = await import('../hosts/settings-file.ts');
  const print = createPrint(false);
  const { agentHost, file } = chooseHost(typed, options, host);
  const entry = agentHost.entry(launchOf(options, host));
  const text = entryText(agentHost, options.name, entry);
  if (options.print === true) {
    print.answer(entry, [`# ${file}`, text]);
    return;
  }
  const settings = openSettingsFile(agentHost, file, options.name);
  if (settings.before !== undefined && !isMemoirEntry(settings.before)) {
    throw new CommandFailure(
      `${file} already has another server named "${options.name}". Choose another name with --name, as in --name memoir.`,
    );
  }
  print.answer(entry, [`Writing to ${file}:`, '', withoutSecrets(text, entry), '']);
  settings.put(entry);
  const what = settings.before === undefined ? 'can now start the tools' : 'has the new entry';
  print.answer(entry, [`${agentHost.title} ${what}. ${agentHost.next}`]);
};

export const mcpInstallCommand = (mcp: Command, host: Host): void => {
  const command = mcp
    .command('install')
    .summary('add the tools to a program')
    .description(
      'Shows the entry that makes a program start the tools for agents, and writes it into the settings of that program. Everything else in them stays. The entry includes the Memoir settings of this environment.',
    )
    .addArgument(new Argument('<program>', 'the program').choices(hostNames))
    .option('-t, --tag <tag>', 'the container tag for calls that name none')
    .option('--data-dir <folder>', 'the data folder (default: MEMOIR_DATA_DIR, or .memoir)')
    .option('--url <address>', 'the address of a remote server (or MEMOIR_URL)')
    .option('--api-key <key>', 'the API key (or MEMOIR_API_KEY for a remote server)');
  examples(withChoice(command), [
    'memoir mcp install claude-code',
    'memoir mcp install cursor --project --tag my_project',
    'memoir mcp install claude-desktop --url https://memory.example.org --api-key sm_…',
    'memoir mcp install codex --print',
  ]).action((program: string, options: InstallOptions) => installEntry(program, options, host));
};
