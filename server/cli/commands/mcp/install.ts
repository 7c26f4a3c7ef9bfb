// memoir mcp install: writes an entry into the settings of a program that makes it start the tools.
import { Argument, type Command } from 'commander';
import { CommandFailure } from '../../failure.ts';
import type { Host } from '../../host.ts';
import type { AddressHost, FileHost, Launch, PastedHost } from '../../hosts/agent-host.ts';
import {
  type ChoiceOptions,
  chooseHost,
  connectorAddress,
  hostNames,
  type LaunchOptions,
  launchOf,
  settingsPath,
  withChoice,
  withoutSecrets,
} from '../../hosts/choose.ts';
import { examples } from '../../options.ts';
import { createPrint } from '../../output/print.ts';

interface InstallOptions extends ChoiceOptions, LaunchOptions {
  project?: true;
  print?: true;
}

/** An entry of another MCP server with the same name must not be replaced. */
const isMemoirEntry = (before: string): boolean => /memoir/i.test(before) && /"mcp"/.test(before);

/** For settings that are checked in: the variables that take the place of keys. */
const variablesNote = ({ title, reference }: FileHost, { inherited }: Launch): string[] => {
  if (inherited.length === 0) return [];
  const names = inherited.join(', ');
  return [
    reference === null
      ? `This file may be checked in, so it holds no key. ${title} documents no reference to a variable: start it where ${names} is set.`
      : `This file may be checked in, so it holds no key: it refers to ${names}. Set it in the environment in which you start ${title}.`,
  ];
};

const installEntry = async (agentHost: FileHost, options: InstallOptions, host: Host): Promise<void> => {
  // Loaded only here, so that other commands start without the parsers.
  const { entryText, openSettingsFile } = await import('../../hosts/settings-file.ts');
  const print = createPrint(false);
  const file = settingsPath(agentHost, options, host);
  const launch = launchOf(options, host);
  const entry = agentHost.entry(launch);
  const text = entryText(agentHost, options.name, entry);
  const note = variablesNote(agentHost, launch);
  if (options.print === true) {
    print.answer(entry, [`# ${file}`, ...note.map((line) => `# ${line}`), text]);
    return;
  }
  const settings = openSettingsFile(agentHost, file, options.name);
  if (settings.before !== undefined && !isMemoirEntry(settings.before)) {
    throw new CommandFailure(
      `${file} already has another server named "${options.name}". Choose another name with --name, as in --name memoir.`,
    );
  }
  print.answer(entry, [`Writing to ${file}:`, '', withoutSecrets(text, launch, host), '', ...note]);
  settings.put(entry);
  const what = settings.before === undefined ? 'can now start the tools' : 'has the new entry';
  print.answer(entry, [`${agentHost.title} ${what}. ${agentHost.next}`]);
};

const numbered = (steps: readonly string[]): string[] => steps.map((step, at) => `${at + 1}. ${step}`);

const showEntry = (agentHost: PastedHost, options: InstallOptions, host: Host): void => {
  const { title, steps, text } = agentHost;
  const entry = text(launchOf(options, host), options.name);
  createPrint(false).answer(null, [
    `${title} takes the entry by hand; no file is written:`,
    '',
    ...numbered(steps),
    '',
    entry,
  ]);
};

const showAddress = (agentHost: AddressHost, options: InstallOptions, host: Host): void => {
  const address = connectorAddress(agentHost, options, host);
  createPrint(false).answer(null, [
    `${agentHost.title} takes the address of your Memoir; no file is written:`,
    '',
    `  ${address}`,
    '',
    ...numbered(agentHost.steps),
  ]);
};

const install = async (typed: string, options: InstallOptions, host: Host): Promise<void> => {
  const agentHost = chooseHost(typed, options);
  if (agentHost.kind === 'file') return installEntry(agentHost, options, host);
  if (agentHost.kind === 'pasted') return showEntry(agentHost, options, host);
  showAddress(agentHost, options, host);
};

export const mcpInstallCommand = (mcp: Command, host: Host): void => {
  const command = mcp
    .command('install')
    .summary('add the tools to a program')
    .description(
      'Shows the entry that makes a program start the tools for agents, and writes it into the settings of that program. Everything else in them stays. The entry includes the Memoir settings of this environment. For a program without such settings it shows the steps.',
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
    'memoir mcp install chatgpt --url https://memory.example.org',
  ]).action((program: string, options: InstallOptions) => install(program, options, host));
};
