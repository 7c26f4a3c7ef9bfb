// memoir mcp install: tells a program that agents live in how to start the tools.
import { Argument, type Command } from 'commander';
import { CommandFailure } from '../failure.ts';
import type { Host } from '../host.ts';
import {
  type ChoiceOptions,
  chosen,
  hostNames,
  type LaunchOptions,
  launchOf,
  withChoice,
} from '../hosts/choose.ts';
import { entryText, openSettings } from '../hosts/settings-file.ts';
import { examples } from '../options.ts';
import { createPrint } from '../print.ts';

interface InstallOptions extends ChoiceOptions, LaunchOptions {
  print?: true;
}

/** The file as a whole may be shown to others; a secret in it is known to its owner. */
const withoutSecrets = (text: string, entry: Record<string, unknown>): string => {
  const given = Object.values((entry.env ?? entry.environment ?? {}) as Record<string, string>);
  const secrets = given.filter((value) => /^(sm_|sk-)/.test(value));
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, `${secret.slice(0, 6)}…`), text);
};

/** Another server of tools may have the same name: it is not ours to replace. */
const isOurs = (before: string): boolean => /memoir/i.test(before) && /"mcp"/.test(before);

function install(typed: string, options: InstallOptions, host: Host): void {
  const print = createPrint(false);
  const { agentHost, file } = chosen(typed, options, host);
  const entry = agentHost.entry(launchOf(options, host));
  const text = entryText(agentHost, options.name, entry);
  if (options.print === true) {
    print.answer(entry, [`# ${file}`, text]);
    return;
  }
  const settings = openSettings(agentHost, file, options.name);
  if (settings.before !== undefined && !isOurs(settings.before)) {
    throw new CommandFailure(
      `${file} has another server called "${options.name}". Choose another name with --name, as in --name memoir.`,
    );
  }
  print.answer(entry, [`Into ${file}:`, '', withoutSecrets(text, entry), '']);
  settings.put(entry);
  const what = settings.before === undefined ? 'has the tools now' : 'has the new entry now';
  print.answer(entry, [`${agentHost.title} ${what}. ${agentHost.next}`]);
}

export function mcpInstallCommand(mcp: Command, host: Host): void {
  const command = mcp
    .command('install')
    .summary('tell a program how to start the tools')
    .description(
      'Shows the entry that makes a program start the tools for agents, and writes it into the settings of that program; everything else in them stays. Settings that are set in this environment come along.',
    )
    .addArgument(new Argument('<program>', 'the program').choices(hostNames))
    .option('-t, --tag <tag>', 'the container tag to use where an agent names none')
    .option('--data-dir <folder>', 'the data folder (default: MEMOIR_DATA_DIR, else .memoir)')
    .option('--url <address>', 'a server elsewhere (or MEMOIR_URL)')
    .option('--api-key <key>', 'the key to use (or MEMOIR_API_KEY, with a server elsewhere)');
  examples(withChoice(command), [
    'memoir mcp install claude-code',
    'memoir mcp install cursor --project --tag my_project',
    'memoir mcp install claude-desktop --url https://memory.example.org --api-key sm_…',
    'memoir mcp install codex --print',
  ]).action((program: string, options: InstallOptions) => install(program, options, host));
}
