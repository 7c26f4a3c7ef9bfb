// The programs that agents live in: where each keeps its servers of tools, and how it writes one down.
import { join } from 'node:path';

/** How a program starts our command. */
export interface Launch {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Where a person's programs keep their settings. */
export interface Place {
  home: string;
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** The folder of a project, for settings that belong to one. */
  project: string;
}

export interface AgentHost {
  /** As it is typed. */
  name: string;
  title: string;
  file(place: Place): string;
  /** Settings of one project; null: it has none. */
  projectFile: ((place: Place) => string) | null;
  format: 'json' | 'toml';
  /** The keys that lead to the servers. */
  path: readonly string[];
  entry(launch: Launch): Record<string, unknown>;
  /** What to do then. */
  next: string;
}

const launched = ({ command, args, env }: Launch) => ({
  command,
  args: [...args],
  ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }),
});

const typed = (launch: Launch) => ({ type: 'stdio', ...launched(launch) });

/** Where programs with windows keep their settings on each system. */
function settingsFolder({ home, platform, env }: Place, name: string): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', name);
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), name);
  return join(env.XDG_CONFIG_HOME ?? join(home, '.config'), name);
}

/** Programs that use the folder of Unix on every system but Windows. */
const dotConfig = (place: Place, name: string): string =>
  place.platform === 'win32'
    ? settingsFolder(place, name)
    : join(place.env.XDG_CONFIG_HOME ?? join(place.home, '.config'), name);

const json = { format: 'json', path: ['mcpServers'], entry: launched, projectFile: null } as const;

export const agentHosts: readonly AgentHost[] = [
  {
    ...json,
    name: 'claude-code',
    title: 'Claude Code',
    file: ({ home }) => join(home, '.claude.json'),
    projectFile: ({ project }) => join(project, '.mcp.json'),
    entry: typed,
    next: 'Start a new session; /mcp lists the tools.',
  },
  {
    ...json,
    name: 'claude-desktop',
    title: 'Claude Desktop',
    file: (place) => join(settingsFolder(place, 'Claude'), 'claude_desktop_config.json'),
    next: 'Quit Claude Desktop and start it again.',
  },
  {
    ...json,
    name: 'cursor',
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    projectFile: ({ project }) => join(project, '.cursor', 'mcp.json'),
    next: 'Enable it in the settings under MCP if Cursor asks.',
  },
  {
    ...json,
    name: 'vscode',
    title: 'VS Code',
    file: (place) => join(settingsFolder(place, 'Code'), 'User', 'mcp.json'),
    projectFile: ({ project }) => join(project, '.vscode', 'mcp.json'),
    path: ['servers'],
    entry: typed,
    next: 'Run "MCP: List Servers" and start it.',
  },
  {
    name: 'codex',
    title: 'Codex',
    file: ({ home, env }) => join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'),
    projectFile: null,
    format: 'toml',
    path: ['mcp_servers'],
    entry: launched,
    next: 'Start a new session; /mcp lists the tools.',
  },
  {
    ...json,
    name: 'windsurf',
    title: 'Windsurf',
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    next: 'Press refresh in the MCP panel.',
  },
  {
    ...json,
    name: 'zed',
    title: 'Zed',
    file: (place) => join(dotConfig(place, place.platform === 'win32' ? 'Zed' : 'zed'), 'settings.json'),
    projectFile: ({ project }) => join(project, '.zed', 'settings.json'),
    path: ['context_servers'],
    entry: (launch) => ({ source: 'custom', ...launched(launch) }),
    next: 'The agent panel shows it under its settings.',
  },
  {
    ...json,
    name: 'gemini-cli',
    title: 'Gemini CLI',
    file: ({ home }) => join(home, '.gemini', 'settings.json'),
    projectFile: ({ project }) => join(project, '.gemini', 'settings.json'),
    next: 'Start a new session; /mcp lists the tools.',
  },
  {
    ...json,
    name: 'opencode',
    title: 'OpenCode',
    file: (place) => join(dotConfig(place, 'opencode'), 'opencode.json'),
    projectFile: ({ project }) => join(project, 'opencode.json'),
    path: ['mcp'],
    entry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      enabled: true,
      ...(Object.keys(env).length === 0 ? {} : { environment: { ...env } }),
    }),
    next: 'Start a new session.',
  },
];
