// What the command line needs from the program around it: `main.ts` passes it in.
import type { AgentSession } from '../../tools/agent.ts';
import type { Memoir } from '../service.ts';

/** What a flag says instead of its setting. */
export interface Overrides {
  dataDir?: string;
  port?: string;
  host?: string;
  /** Only errors are logged, unless the settings ask for more. */
  quiet?: boolean;
}

/** The settings, read and found good; nothing is opened yet. */
export interface Plan {
  /** Absolute. */
  readonly dataDir: string;
  /** Each a sentence. */
  readonly warnings: readonly string[];
  /** `serving`: it listens from the start, and answers that it is not ready until it is told to listen. */
  open(how?: { serving: boolean }): Promise<Memoir>;
}

/** The process that holds a data folder. */
export interface Running {
  /** Null: it does not listen (yet). */
  readonly url: string | null;
  readonly pid: number;
  readonly token: string;
}

/** What serving the tools over standard input and output takes. */
export interface ServeTools {
  session(): Promise<AgentSession>;
  stopped: Promise<unknown>;
  note(text: string): void;
}

export interface Host {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How this program is called here, for hints: `npx memoir`. */
  readonly invocation: string;
  /** Throws where a setting cannot be used. */
  plan(overrides: Overrides): Plan;
  /** Whether a Memoir has ever been in this folder. */
  isDataFolder(dataDir: string): boolean;
  running(dataDir: string): Running | null;
  /** Resolves when the client has gone, or was stopped. */
  serveTools(how: ServeTools): Promise<void>;
  /** How another program starts this one, without a shell and whatever its working folder is. */
  readonly command: readonly [file: string, ...args: string[]];
  /** The settings that are set here beside the folder, the address and the key: another program has to set them too. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where the person's programs keep their settings. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
}
