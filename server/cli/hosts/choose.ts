// Which program, which of its files, and what to put there.
import { type Command, Option } from 'commander';
import { isRemote } from '../connect.ts';
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

/** What both putting an entry in and taking it out ask for. */
export const withChoice = (command: Command): Command =>
  command
    .addOption(new Option('--name <name>', 'the name of the entry').default('memory'))
    .option('--project', 'the settings of the project in this folder, where the program has such')
    .option('--print', 'only show it, change nothing')
    .helpOption('-h, --help', 'show this help');

export const hostNames = agentHosts.map(({ name }) => name);

export function chosen(
  typed: string,
  { project, name }: ChoiceOptions,
  host: Host,
): { agentHost: AgentHost; file: string } {
  const agentHost = agentHosts.find((known) => known.name === typed);
  if (agentHost === undefined)
    throw misused(`${typed} is not known here. Choose one of ${hostNames.join(', ')}.`);
  if (!/^[\w-]{1,64}$/.test(name)) throw misused('--name takes letters, digits, "-" and "_".');
  const place = { home: host.home, platform: host.platform, env: host.env, project: process.cwd() };
  if (project !== true) return { agentHost, file: agentHost.file(place) };
  if (agentHost.projectFile === null) throw misused(`${agentHost.title} has no settings of a project.`);
  return { agentHost, file: agentHost.projectFile(place) };
}

/** Windows starts what npm installed only through its shell. */
const startable = (command: readonly string[], { platform }: Host): readonly string[] =>
  platform === 'win32' && command[0] === 'npx' ? ['cmd', '/c', ...command] : command;

function reached(options: LaunchOptions, host: Host): { args: string[]; env: Record<string, string> } {
  if (!isRemote(options, host)) {
    const { dataDir } = host.plan(options.dataDir === undefined ? {} : { dataDir: options.dataDir });
    const key = options.apiKey === undefined ? [] : ['--api-key', options.apiKey];
    return { args: ['--data-dir', dataDir, ...key], env: { ...host.settings } };
  }
  const url = options.url ?? host.env.MEMOIR_URL ?? '';
  const key = options.apiKey ?? host.env.MEMOIR_API_KEY;
  if (!key) throw misused(`${url} wants a key: give it with --api-key or in MEMOIR_API_KEY.`);
  return { args: ['--url', url], env: { MEMOIR_API_KEY: key } };
}

export function launchOf(options: LaunchOptions, host: Host): Launch {
  const [command = '', ...first] = startable(host.command, host);
  const { args, env } = reached(options, host);
  const tag = options.tag === undefined ? [] : ['--tag', options.tag];
  return { command, args: [...first, 'mcp', ...args, ...tag], env };
}
