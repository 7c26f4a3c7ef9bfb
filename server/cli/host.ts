// The interface between the command line and the process: `main.ts` implements it.
import type { AgentSession } from '../../tools/operation.ts';
import type { Memoir } from '../calls/memoir.ts';

/** Options of the command line that replace settings. */
export interface Overrides {
  dataDir?: string;
  port?: string;
  host?: string;
  role?: string;
  /** Log errors only, unless the settings ask for more. */
  quiet?: boolean;
}

/** The checked settings; nothing is opened yet. */
export interface ServerPlan {
  /** Absolute. */
  readonly dataDir: string;
  /** Each a sentence. */
  readonly warnings: readonly string[];
  /** `serving`: the port is open from the start and answers 503 until `listen` is called. */
  /** `givenUp`: secrets whose key was lost are given up, and it is told their names. */
  open(how?: { serving?: boolean; givenUp?: (secrets: readonly string[]) => void }): Promise<Memoir>;
}

/** The process that holds a data folder. */
export interface Running {
  /** Null: it does not listen, or not yet. */
  readonly url: string | null;
  readonly pid: number;
  readonly token: string;
}

/** The arguments of `serveTools`. */
export interface ServeTools {
  session(): Promise<AgentSession>;
  /** Called when the first answer is sent. */
  answered(): void;
  stopped: Promise<unknown>;
  note(text: string): void;
}

/** A store that moved to another database. */
export interface MovedStore {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  readonly digests: Readonly<Record<string, string>>;
  /** The settings with which the next start finds it. */
  readonly settings: readonly string[];
}

/** Moves of the store that the settings name. */
export interface StoreMoves {
  move(to: string, told: { note(text: string): void; progress(text: string): void }): Promise<MovedStore>;
  /** Opens it again in its old place. */
  cancel(): Promise<{ readonly place: string }>;
}

export interface Host {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command that starts this program, for hints: `npx memoir`. */
  readonly invocation: string;
  /** Throws if a setting is invalid. */
  plan(overrides: Overrides): ServerPlan;
  storeMoves(overrides: Overrides): StoreMoves;
  /** True: the folder was used by Memoir before. */
  isDataFolder(dataDir: string): boolean;
  running(dataDir: string): Running | null;
  /** Resolves when the client has disconnected or the command was stopped. */
  serveTools(how: ServeTools): Promise<void>;
  /** The command with which another program starts this one, without a shell and from any folder. */
  readonly command: readonly [file: string, ...args: string[]];
  /** The settings of this environment except folder, address and key; another program must set them too. */
  readonly settings: Readonly<Record<string, string>>;
  /** The names of settings whose values are never shown. */
  readonly secretSettings: readonly string[];
  /** The home folder of the user. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
}
