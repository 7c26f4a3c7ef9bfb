// The options with which tests and the command line open a Memoir.
import type { SearchLimits } from '../domain/search/query/plan.ts';
import type { McpExtension } from '../mcp/server.ts';
import type { Log } from './log.ts';

export interface MemoirOptions {
  log?: Log;
  /** False: one commit per write, for comparison in the bench. */
  groupCommit?: boolean;
  /** Bounds that replace the measured ones, so that tests of wide scopes need little data. */
  searchLimits?: Partial<SearchLimits>;
  /** Web origins that tests serve: `https://pages.example` at `http://127.0.0.1:4000`. */
  standIns?: Readonly<Record<string, string>>;
  /** Additional tools, for a conformance suite. */
  mcpExtension?: McpExtension | undefined;
  /** The server listens from the start and answers 503 until it is ready. */
  serving?: boolean;
  /** Gives up the stored secrets whose key was lost, and names them; missing: a start with such secrets is refused. */
  givenUp?: (secrets: readonly string[]) => void;
  /** Called when the writer thread has ended by itself, so that nothing can be written. */
  fatal?: (reason: Error) => void;
}
