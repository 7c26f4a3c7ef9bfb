// The types of the supported programs, and the parts that their rows share.
import { posix, win32 } from 'node:path';

/** The command with which a program starts the tools. */
export interface Launch {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Variables that the tools take from the environment of the program, because the file must not hold their values. */
  inherited: readonly string[];
}

/** The folders that hold the settings of programs. */
export interface HostFolders {
  home: string;
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** The folder of a project, for settings that belong to one. */
  project: string;
}

/** The text in the settings of a program that stands for the value of an environment variable. */
export type VariableReference = (variable: string) => string;

/** A program with a settings file that Memoir edits. */
export interface FileHost {
  kind: 'file';
  /** The name on the command line. */
  name: string;
  title: string;
  file(place: HostFolders): string;
  /** Settings of one project; null: it has none. */
  projectFile: ((place: HostFolders) => string) | null;
  /** Null: no form is documented; the tools then inherit the environment of the program. */
  reference: VariableReference | null;
  format: 'json' | 'toml';
  /** The keys that lead to the MCP servers. */
  path: readonly string[];
  entry(launch: Launch): Record<string, unknown>;
  /** The next step for the user after installing. */
  next: string;
}

/** A program whose user pastes the entry into a window of it. */
export interface PastedHost {
  kind: 'pasted';
  name: string;
  title: string;
  /** The text to paste. */
  text(launch: Launch, name: string): string;
  steps: readonly string[];
  /** The place where its user removes the entry again. */
  removal: string;
}

/** A program that runs elsewhere: it takes the address of the server and signs in on the connect page. */
export interface AddressHost {
  kind: 'address';
  name: string;
  title: string;
  steps: readonly string[];
  removal: string;
}

export type AgentHost = FileHost | PastedHost | AddressHost;

/** The variables of the tools, with references to those that are not written. */
export const launchVariables = (
  { env, inherited }: Launch,
  reference: VariableReference | null,
): Record<string, string> => ({
  ...env,
  ...(reference === null ? {} : Object.fromEntries(inherited.map((name) => [name, reference(name)]))),
});

/** The form of most programs: command, arguments and variables. */
export const launchEntry = (launch: Launch, reference: VariableReference | null) => {
  const env = launchVariables(launch, reference);
  return {
    command: launch.command,
    args: [...launch.args],
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
};

/** A path of the system of the program. */
export const pathOn = ({ platform }: HostFolders, ...parts: readonly string[]): string =>
  (platform === 'win32' ? win32 : posix).join(...parts);

/** The settings folder of desktop programs on each system. */
export const settingsFolder = (place: HostFolders, name: string): string => {
  const { home, platform, env } = place;
  if (platform === 'darwin') return pathOn(place, home, 'Library', 'Application Support', name);
  if (platform === 'win32')
    return pathOn(place, env.APPDATA ?? pathOn(place, home, 'AppData', 'Roaming'), name);
  return pathOn(place, env.XDG_CONFIG_HOME ?? pathOn(place, home, '.config'), name);
};

/** The folder of programs that use ~/.config on every system. */
export const dotConfig = (place: HostFolders, name: string): string =>
  pathOn(place, place.env.XDG_CONFIG_HOME ?? pathOn(place, place.home, '.config'), name);
