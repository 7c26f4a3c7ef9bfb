// The settings files of all programs on each system, with home, platform and environment given.
import { expect, test } from 'vitest';
import type { HostFolders, Launch } from '../../../server/cli/hosts/agent-host.ts';
import { fileHosts } from '../../../server/cli/hosts/known.ts';

const linux: HostFolders = { home: '/home/ada', platform: 'linux', env: {}, project: '/work/tea' };
const mac: HostFolders = { home: '/Users/ada', platform: 'darwin', env: {}, project: '/work/tea' };
const windows: HostFolders = {
  home: 'C:\\Users\\Ada',
  platform: 'win32',
  env: { APPDATA: 'D:\\Roaming' },
  project: 'C:\\work\\tea',
};

/** Below the home folder, or below the folder of application data: [linux, mac, windows, project]. */
const paths: Record<string, readonly [string, string, string, string | null]> = {
  'claude-code': ['~/.claude.json', '~/.claude.json', '~\\.claude.json', '.mcp.json'],
  'claude-desktop': [
    '~/.config/Claude/claude_desktop_config.json',
    '~/Library/Application Support/Claude/claude_desktop_config.json',
    'D:\\Roaming\\Claude\\claude_desktop_config.json',
    null,
  ],
  cursor: ['~/.cursor/mcp.json', '~/.cursor/mcp.json', '~\\.cursor\\mcp.json', '.cursor/mcp.json'],
  vscode: [
    '~/.config/Code/User/mcp.json',
    '~/Library/Application Support/Code/User/mcp.json',
    'D:\\Roaming\\Code\\User\\mcp.json',
    '.vscode/mcp.json',
  ],
  windsurf: [
    '~/.codeium/windsurf/mcp_config.json',
    '~/.codeium/windsurf/mcp_config.json',
    '~\\.codeium\\windsurf\\mcp_config.json',
    null,
  ],
  zed: [
    '~/.config/zed/settings.json',
    '~/.config/zed/settings.json',
    'D:\\Roaming\\Zed\\settings.json',
    '.zed/settings.json',
  ],
  cline: [
    '~/.cline/data/settings/cline_mcp_settings.json',
    '~/.cline/data/settings/cline_mcp_settings.json',
    '~\\.cline\\data\\settings\\cline_mcp_settings.json',
    null,
  ],
  codex: ['~/.codex/config.toml', '~/.codex/config.toml', '~\\.codex\\config.toml', '.codex/config.toml'],
  'gemini-cli': [
    '~/.gemini/settings.json',
    '~/.gemini/settings.json',
    '~\\.gemini\\settings.json',
    '.gemini/settings.json',
  ],
  opencode: [
    '~/.config/opencode/opencode.json',
    '~/.config/opencode/opencode.json',
    '~\\.config\\opencode\\opencode.json',
    'opencode.json',
  ],
  warp: ['~/.warp/.mcp.json', '~/.warp/.mcp.json', '~\\.warp\\.mcp.json', '.warp/.mcp.json'],
};

test('every program has a row of paths here', () => {
  expect(Object.keys(paths).sort()).toEqual(fileHosts.map(({ name }) => name).sort());
});

test.each(fileHosts.map((host) => [host.name, host] as const))(
  '%s keeps its settings where its documentation says, on each system',
  (name, host) => {
    const [onLinux = '', onMac = '', onWindows = '', project = null] = paths[name] ?? [];
    expect(host.file(linux)).toBe(onLinux.replace('~', linux.home));
    expect(host.file(mac)).toBe(onMac.replace('~', mac.home));
    expect(host.file(windows)).toBe(onWindows.replace('~', windows.home));
    expect(host.projectFile?.(linux) ?? null).toBe(project === null ? null : `/work/tea/${project}`);
    expect(host.projectFile?.(windows) ?? null).toBe(
      project === null ? null : `C:\\work\\tea\\${project.replaceAll('/', '\\')}`,
    );
  },
);

test('folders that the environment moves are followed', () => {
  const file = (name: string, env: HostFolders['env'], on = linux) =>
    fileHosts.find((host) => host.name === name)?.file({ ...on, env });
  const xdg = { XDG_CONFIG_HOME: '/etc/ada' };
  expect(file('zed', xdg)).toBe('/etc/ada/zed/settings.json');
  expect(file('zed', xdg, mac)).toBe('/Users/ada/.config/zed/settings.json');
  expect(file('opencode', xdg)).toBe('/etc/ada/opencode/opencode.json');
  expect(file('vscode', xdg)).toBe('/etc/ada/Code/User/mcp.json');
  expect(file('codex', { CODEX_HOME: '/srv/codex' })).toBe('/srv/codex/config.toml');
  expect(file('cline', { CLINE_DATA_DIR: '/srv/cline' })).toBe('/srv/cline/settings/cline_mcp_settings.json');
  expect(file('cline', { CLINE_MCP_SETTINGS_PATH: '/srv/mcp.json' })).toBe('/srv/mcp.json');
  expect(file('claude-desktop', {}, windows)).toBe(
    'C:\\Users\\Ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
  );
});

const launch: Launch = { command: 'node', args: ['mcp'], env: { A: '1' }, inherited: ['MEMOIR_API_KEY'] };

/** The part of an entry that stands for the key; undefined: the program passes its environment on. */
const references: Record<string, unknown> = {
  'claude-code': { env: { A: '1', MEMOIR_API_KEY: `\${MEMOIR_API_KEY}` } },
  cursor: { env: { A: '1', MEMOIR_API_KEY: `\${env:MEMOIR_API_KEY}` } },
  vscode: { env: { A: '1', MEMOIR_API_KEY: `\${env:MEMOIR_API_KEY}` } },
  zed: { env: { A: '1' } },
  codex: { env: { A: '1' }, env_vars: ['MEMOIR_API_KEY'] },
  'gemini-cli': { env: { A: '1', MEMOIR_API_KEY: '$MEMOIR_API_KEY' } },
  opencode: { environment: { A: '1', MEMOIR_API_KEY: '{env:MEMOIR_API_KEY}' } },
  warp: { env: { A: '1' } },
};

test.each(
  fileHosts.filter(({ projectFile }) => projectFile !== null).map((host) => [host.name, host] as const),
)('%s gets a reference to a variable in the form that it documents', (name, host) => {
  expect(references[name]).toBeDefined();
  expect(host.entry(launch)).toMatchObject(references[name] as object);
  expect(host.reference === null).toBe(!JSON.stringify(host.entry(launch)).includes('MEMOIR_API_KEY'));
});
