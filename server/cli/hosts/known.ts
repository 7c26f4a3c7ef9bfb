// The programs with a settings file: its place, and the format of an MCP server entry in it.
import { existsSync } from 'node:fs';
import {
  dotConfig,
  type FileHost,
  type HostFolders,
  type Launch,
  launchEntry,
  launchVariables,
  pathOn,
  settingsFolder,
  type VariableReference,
} from './agent-host.ts';

const braces: VariableReference = (variable) => `\${${variable}}`;
const bracesWithEnv: VariableReference = (variable) => `\${env:${variable}}`;
const dollar: VariableReference = (variable) => `$${variable}`;
const openCodeForm: VariableReference = (variable) => `{env:${variable}}`;

const stdioEntry = (launch: Launch, reference: VariableReference) => ({
  type: 'stdio',
  ...launchEntry(launch, reference),
});

const json = {
  kind: 'file',
  format: 'json',
  path: ['mcpServers'],
  entry: (launch: Launch) => launchEntry(launch, null),
  projectFile: null,
  reference: null,
} as const;

/** OpenCode reads both; a file with comments has the longer name. */
const openCodeFile = (place: HostFolders, folder: string): string => {
  const withComments = pathOn(place, folder, 'opencode.jsonc');
  return existsSync(withComments) ? withComments : pathOn(place, folder, 'opencode.json');
};

const clineFile = (place: HostFolders): string => {
  const { home, env } = place;
  if (env.CLINE_MCP_SETTINGS_PATH) return env.CLINE_MCP_SETTINGS_PATH;
  const data = env.CLINE_DATA_DIR || pathOn(place, home, '.cline', 'data');
  return pathOn(place, data, 'settings', 'cline_mcp_settings.json');
};

/** Zed follows XDG_CONFIG_HOME on Linux alone. */
const zedFolder = (place: HostFolders): string => {
  if (place.platform === 'darwin') return pathOn(place, place.home, '.config', 'zed');
  return settingsFolder(place, place.platform === 'win32' ? 'Zed' : 'zed');
};

const editors: readonly FileHost[] = [
  {
    ...json,
    name: 'cursor',
    title: 'Cursor',
    file: (place) => pathOn(place, place.home, '.cursor', 'mcp.json'),
    projectFile: (place) => pathOn(place, place.project, '.cursor', 'mcp.json'),
    reference: bracesWithEnv,
    entry: (launch) => launchEntry(launch, bracesWithEnv),
    next: 'Enable it in the settings under MCP if Cursor asks.',
  },
  {
    ...json,
    name: 'vscode',
    title: 'VS Code',
    file: (place) => pathOn(place, settingsFolder(place, 'Code'), 'User', 'mcp.json'),
    projectFile: (place) => pathOn(place, place.project, '.vscode', 'mcp.json'),
    reference: bracesWithEnv,
    path: ['servers'],
    entry: (launch) => stdioEntry(launch, bracesWithEnv),
    next: 'Run "MCP: List Servers" and start it.',
  },
  {
    ...json,
    name: 'windsurf',
    title: 'Windsurf',
    file: (place) => pathOn(place, place.home, '.codeium', 'windsurf', 'mcp_config.json'),
    next: 'Press refresh in the MCP panel.',
  },
  {
    ...json,
    name: 'zed',
    title: 'Zed',
    file: (place) => pathOn(place, zedFolder(place), 'settings.json'),
    projectFile: (place) => pathOn(place, place.project, '.zed', 'settings.json'),
    path: ['context_servers'],
    entry: (launch) => ({ source: 'custom', ...launchEntry(launch, null) }),
    next: 'The agent panel shows it under its settings.',
  },
  {
    ...json,
    name: 'cline',
    title: 'Cline',
    file: clineFile,
    next: 'Open MCP Servers in Cline; the list shows it.',
  },
];

const terminals: readonly FileHost[] = [
  {
    kind: 'file',
    name: 'codex',
    title: 'Codex',
    file: (place) =>
      pathOn(place, place.env.CODEX_HOME ?? pathOn(place, place.home, '.codex'), 'config.toml'),
    projectFile: (place) => pathOn(place, place.project, '.codex', 'config.toml'),
    reference: (variable) => variable,
    format: 'toml',
    path: ['mcp_servers'],
    // Codex lists the variables that it passes on.
    entry: (launch) => ({
      ...launchEntry(launch, null),
      ...(launch.inherited.length === 0 ? {} : { env_vars: [...launch.inherited] }),
    }),
    next: 'Start a new session; /mcp lists the tools.',
  },
  {
    ...json,
    name: 'gemini-cli',
    title: 'Gemini CLI',
    file: (place) => pathOn(place, place.home, '.gemini', 'settings.json'),
    projectFile: (place) => pathOn(place, place.project, '.gemini', 'settings.json'),
    reference: dollar,
    entry: (launch) => launchEntry(launch, dollar),
    next: 'Start a new session; /mcp lists the tools.',
  },
  {
    ...json,
    name: 'opencode',
    title: 'OpenCode',
    file: (place) => openCodeFile(place, dotConfig(place, 'opencode')),
    projectFile: (place) => openCodeFile(place, place.project),
    reference: openCodeForm,
    path: ['mcp'],
    entry: (launch) => {
      const environment = launchVariables(launch, openCodeForm);
      return {
        type: 'local',
        command: [launch.command, ...launch.args],
        enabled: true,
        ...(Object.keys(environment).length === 0 ? {} : { environment }),
      };
    },
    next: 'Start a new session.',
  },
  {
    ...json,
    name: 'warp',
    title: 'Warp',
    file: (place) => pathOn(place, place.home, '.warp', '.mcp.json'),
    projectFile: (place) => pathOn(place, place.project, '.warp', '.mcp.json'),
    next: 'Settings, Agents, MCP servers lists it; start the server of a project there.',
  },
];

export const fileHosts: readonly FileHost[] = [
  {
    ...json,
    name: 'claude-code',
    title: 'Claude Code',
    file: (place) => pathOn(place, place.home, '.claude.json'),
    projectFile: (place) => pathOn(place, place.project, '.mcp.json'),
    reference: braces,
    entry: (launch) => stdioEntry(launch, braces),
    next: 'Start a new session; /mcp lists the tools.',
  },
  {
    ...json,
    name: 'claude-desktop',
    title: 'Claude Desktop',
    file: (place) => pathOn(place, settingsFolder(place, 'Claude'), 'claude_desktop_config.json'),
    next: 'Quit Claude Desktop and start it again.',
  },
  ...editors,
  ...terminals,
];
