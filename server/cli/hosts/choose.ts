// Chooses the program, its settings file and the entry for it.
import { type Command, Option } from 'commander';
import { isRemote } from '../connection/connect.ts';
import { misused } from '../failure.ts';
import type { Host } from '../host.ts';
import type { AddressHost, AgentHost, FileHost, Launch } from './agent-host.ts';
import { addressHosts, pastedHosts } from './guided.ts';
import { fileHosts } from './known.ts';

export interface ChoiceOptions {
  name: string;
  project?: true;
}

export interface LaunchOptions {
  tag?: string;
  dataDir?: string;
  url?: string;
  apiKey?: string;
  project?: true;
}

/** The options that `install` and `uninstall` share. */
export const withChoice = (command: Command): Command =>
  command
    .addOption(new Option('--name <name>', 'the name of the entry').default('memory'))
    .option('--project', 'use the settings of the project in this folder, which hold no key')
    .option('--print', 'show the change without making it')
    .helpOption('-h, --help', 'show this help');

const agentHosts: readonly AgentHost[] = [...fileHosts, ...pastedHosts, ...addressHosts];

export const hostNames = agentHosts.map(({ name }) => name);

export const chooseHost = (typed: string, { project, name }: ChoiceOptions): AgentHost => {
  const agentHost = agentHosts.find((known) => known.name === typed);
  if (agentHost === undefined)
    throw misused(`The program ${typed} is not supported. Choose one of ${hostNames.join(', ')}.`);
  if (!/^[\w-]{1,64}$/.test(name))
    throw misused('--name must consist of 1 to 64 letters, digits, "-" and "_".');
  if (project === true && (agentHost.kind !== 'file' || agentHost.projectFile === null))
    throw misused(`${agentHost.title} has no project settings. Run the command without --project.`);
  return agentHost;
};

/** The settings file: that of the user, or with `--project` that of the project in this folder. */
export const settingsPath = (agentHost: FileHost, { project }: ChoiceOptions, host: Host): string => {
  const place = { home: host.home, platform: host.platform, env: host.env, project: process.cwd() };
  const path = project === true ? agentHost.projectFile : agentHost.file;
  return (path ?? agentHost.file)(place);
};

// --- the command that a program starts ------------------------------------------------------------

/** Windows can start a command of npm only through its shell. */
const startableCommand = (command: readonly string[], { platform }: Host): readonly string[] =>
  platform === 'win32' && command[0] === 'npx' ? ['cmd', '/c', ...command] : command;

type Target = Pick<Launch, 'args' | 'env' | 'inherited'>;

const KEY = 'MEMOIR_API_KEY';

const remoteTarget = (options: LaunchOptions, host: Host): Target => {
  const url = options.url ?? host.env.MEMOIR_URL ?? '';
  const args = ['--url', url];
  // A project file is checked in, and its readers have keys of their own.
  if (options.project === true) return { args, env: {}, inherited: [KEY] };
  const key = options.apiKey ?? host.env[KEY];
  if (!key) throw misused(`${url} needs an API key. Pass it with --api-key or set ${KEY}.`);
  return { args, env: { [KEY]: key }, inherited: [] };
};

const hasPassword = (value: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[^/?#]*@/i.test(value);

/** The value must not be shown or checked in. */
const isSecret = (name: string, value: string, host: Host): boolean =>
  name === KEY || host.secretSettings.includes(name) || hasPassword(value);

const localTarget = (options: LaunchOptions, host: Host): Target => {
  const { dataDir } = host.plan(options.dataDir === undefined ? {} : { dataDir: options.dataDir });
  const args = ['--data-dir', dataDir];
  if (options.project !== true) {
    const key = options.apiKey === undefined ? [] : ['--api-key', options.apiKey];
    return { args: [...args, ...key], env: { ...host.settings }, inherited: [] };
  }
  if (options.apiKey !== undefined)
    throw misused(
      'The settings of a project are checked in, so they must not hold a key. Leave out --api-key or --project, or name a server with --url.',
    );
  const secret = ([name, value]: [string, string]) => isSecret(name, value, host);
  const settings = Object.entries(host.settings);
  return {
    args,
    env: Object.fromEntries(settings.filter((each) => !secret(each))),
    inherited: settings.filter(secret).map(([name]) => name),
  };
};

export const launchOf = (options: LaunchOptions, host: Host): Launch => {
  const [command = '', ...first] = startableCommand(host.command, host);
  const { args, ...variables } = isRemote(options, host)
    ? remoteTarget(options, host)
    : localTarget(options, host);
  const tag = options.tag === undefined ? [] : ['--tag', options.tag];
  return { command, args: [...first, 'mcp', ...args, ...tag], ...variables };
};

/** Shortens secrets, because the output of a terminal may be seen by others. */
export const withoutSecrets = (text: string, { env, args }: Launch, host: Host): string => {
  const key = args[args.indexOf('--api-key') + 1];
  const secrets = [
    ...Object.entries(env)
      .filter(([name, value]) => isSecret(name, value, host))
      .map(([, value]) => value),
    ...(args.includes('--api-key') && key !== undefined ? [key] : []),
  ];
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, `${secret.slice(0, 6)}…`), text);
};

/** The address that a program elsewhere takes; it reaches a server only by its public https address. */
export const connectorAddress = (
  { title }: AddressHost,
  options: Pick<LaunchOptions, 'url'>,
  host: Host,
): string => {
  const url = options.url ?? host.env.MEMOIR_URL ?? host.env.MEMOIR_BASE_URL;
  if (url === undefined || !URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw misused(
      `${title} reaches Memoir only at a public https address. Pass it with --url, as in --url https://memory.example.org; the server has the same address in MEMOIR_BASE_URL.`,
    );
  return `${url.replace(/\/+$/, '').replace(/\/mcp$/, '')}/mcp`;
};
