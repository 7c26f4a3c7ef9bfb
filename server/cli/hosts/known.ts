// The supported programs: the place of their settings files and the format of an MCP server entry in them.
import { join } from 'node:path';

/** The command with which a program starts the tools. */
export interface Launch {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** The folders that hold the settings of programs. */
export interface HostFolders {
  home: string;
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** The folder of a project, for settings that belong to one. */
  project: string;
}

export interface AgentHost {
  /** The name on the command line. */
  name: string;
  title: string;
  file(place: HostFolders): string;
  /** Settings of one project; null: it has none. */
  projectFile: ((place: HostFolders) => string) | null;
  format: 'json' | 'toml';
  /** The keys that lead to the MCP servers. */
  path: readonly string[];
  entry(launch: Launch): Record<string, unknown>;
  /** The next step for the user after installing. */
  next: string;
}

const launchEntry = ({ command, args, env }: Launch) => ({
  command,
  args: [...args],
  ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }),
});

const stdioEntry = (launch: Launch) => ({ type: 'stdio', ...launchEntry(launch) });

/** The settings folder of desktop programs on each system. */
const settingsFolder = ({ home, platform, env }: HostFolders, name: string): string => {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', name);
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), name);
  return join(env.XDG_CONFIG_HOME ?? join(home, '.config'), name);
};

/** The settings folder of programs that use ~/.config on every system except Windows. */
const dotConfig = (place: HostFolders, name: string): string =>
  place.platform === 'win32'
    ? settingsFolder(place, name)
    : join(place.env.XDG_CONFIG_HOME ?? join(place.home, '.config'), name);

const json = { format: 'json', path: ['mcpServers'], entry: launchEntry, projectFile: null } as const;

export const agentHosts: readonly AgentHost[] = [
  {
    ...json,
    name: 'claude-code',
    title: 'Claude Code',
    file: ({ home }) => join(home, '.claude.json'),
    projectFile: ({ project }) => join(project, '.mcp.json'),
    entry: stdioEntry,
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
    entry: stdioEntry,
    next: 'Run "MCP: List Servers" and start it.',
  },
  {
    name: 'codex',
    title: 'Codex',
    file: ({ home, env }) => join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'),
    projectFile: null,
    format: 'toml',
    path: ['mcp_servers'],
    entry: launchEntry,
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
    entry: (launch) => ({ source: 'custom', ...launchEntry(launch) }),
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
