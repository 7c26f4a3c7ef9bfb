// What an opened Memoir is, and what can be handed to it when it is opened.
import type { SearchLimits } from './domain/search/plan.ts';
import type { FileReceiver } from './http/form.ts';
import type { Invoke } from './invoke.ts';
import type { Log } from './log.ts';
import type { McpExtension } from './mcp/server.ts';
import type { Service } from './service.ts';

export interface Memoir {
  readonly service: Service;
  readonly invoke: Invoke;
  readonly orgId: string;
  /** Where files are put that operations are to be given. */
  readonly files: FileReceiver;
  /** The key of this boot for the machine's own commands. */
  readonly localToken: string;
  /** Shown once: the key that this boot made; null: there is one already. */
  readonly firstKey: string | null;
  /** Null until it listens. */
  readonly url: string | null;
  readonly log: Log;
  listen(): Promise<string>;
  close(): Promise<void>;
}

export interface MemoirOptions {
  log?: Log;
  /** False: a commit for each write, for comparison in the bench. */
  groupCommit?: boolean;
  /** Other bounds than the measured ones, for tests of wide scopes that hold little. */
  searchLimits?: Partial<SearchLimits>;
  /** Origins of the web that tests stand up themselves: `https://pages.example` at `http://127.0.0.1:4000`. */
  standIns?: Readonly<Record<string, string>>;
  /** Stands beside the tools for agents: the things that a suite of conformance tests calls. */
  mcpExtension?: McpExtension | undefined;
  /** It is going to listen: it does from the start, and answers 503 until it is ready. */
  serving?: boolean;
  /** A part without which nothing can be written ended on its own. */
  fatal?: (reason: Error) => void;
}
