// Chooses the program, its settings file and the entry for it.
import { type Command, Option } from 'commander';
import { isRemote } from '../connection/connect.ts';
import { misused } from '../failure.ts';
import type { Host } from '../host.ts';
import { type AgentHost, agentHosts, type Launch } from './known.ts';

export interface ChoiceOptions {
  name: string;
  project?: true;
}

export interface LaunchOptions {
  tag?: string;
  dataDir?: string;
  url?: string;
  apiKey?: string;
}

/** The options that `install` and `uninstall` share. */
export const withChoice = (command: Command): Command =>
  command
    .addOption(new Option('--name <name>', 'the name of the entry').default('memory'))
    .option('--project', 'use the settings of the project in this folder')
    .option('--print', 'show the change without making it')
    .helpOption('-h, --help', 'show this help');

export const hostNames = agentHosts.map(({ name }) => name);

export const chooseHost = (
  typed: string,
  { project, name }: ChoiceOptions,
  host: Host,
): { agentHost: AgentHost; file: string } => {
  const agentHost = agentHosts.find((known) => known.name === typed);
  if (agentHost === undefined)
    throw misused(`The program ${typed} is not supported. Choose one of ${hostNames.join(', ')}.`);
  if (!/^[\w-]{1,64}$/.test(name))
    throw misused('--name must consist of 1 to 64 letters, digits, "-" and "_".');
  const place = { home: host.home, platform: host.platform, env: host.env, project: process.cwd() };
  if (project !== true) return { agentHost, file: agentHost.file(place) };
  if (agentHost.projectFile === null)
    throw misused(`${agentHost.title} has no project settings. Run the command without --project.`);
  return { agentHost, file: agentHost.projectFile(place) };
};

/** Windows can start a command of npm only through its shell. */
const startableCommand = (command: readonly string[], { platform }: Host): readonly string[] =>
  platform === 'win32' && command[0] === 'npx' ? ['cmd', '/c', ...command] : command;

const launchTarget = (
  options: LaunchOptions,
  host: Host,
): { args: string[]; env: Record<string, string> } => {
  if (!isRemote(options, host)) {
    const { dataDir } = host.plan(options.dataDir === undefined ? {} : { dataDir: options.dataDir });
    const key = options.apiKey === undefined ? [] : ['--api-key', options.apiKey];
    return { args: ['--data-dir', dataDir, ...key], env: { ...host.settings } };
  }
  const url = options.url ?? host.env.MEMOIR_URL ?? '';
  const key = options.apiKey ?? host.env.MEMOIR_API_KEY;
  if (!key) throw misused(`${url} needs an API key. Pass it with --api-key or set MEMOIR_API_KEY.`);
  return { args: ['--url', url], env: { MEMOIR_API_KEY: key } };
};

export const launchOf = (options: LaunchOptions, host: Host): Launch => {
  const [command = '', ...first] = startableCommand(host.command, host);
  const { args, env } = launchTarget(options, host);
  const tag = options.tag === undefined ? [] : ['--tag', options.tag];
  return { command, args: [...first, 'mcp', ...args, ...tag], env };
};
