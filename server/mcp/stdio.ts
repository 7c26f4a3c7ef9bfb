// The protocol over standard input and output, for hosts that start a command of their own.
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type StdioServerHandle, StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AgentSession } from '../../tools/agent.ts';
import type { Operation } from '../../tools/contract.ts';
import { createMcpServer } from './server.ts';

export interface StdioDeps {
  operations: readonly Operation[];
  version: string;
  /** Who calls; asked when the client says its first word. */
  session(): Promise<AgentSession>;
  /** Resolves when the process shall end. */
  stopped: Promise<unknown>;
  /** Told on stderr, where hosts keep it in their log. */
  note(text: string): void;
}

/**
 * Standard output belongs to the protocol alone: one stray word of a library, and the host hangs up.
 * Whatever else is written there goes to stderr.
 */
function claimOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  globalThis.console = new Console({ stdout: stderr, stderr });
  return new Writable({
    write(part: Buffer, _encoding, done) {
      write(part, done);
    },
  });
}

const clientIsGone = (): Promise<void> => finished(process.stdin, { writable: false }).catch(() => undefined);

/** Resolves when the client has closed its end, or the process shall stop. */
export async function serveTools({ session, stopped, note, ...deps }: StdioDeps): Promise<void> {
  const broke = (error: unknown) =>
    note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const gone = clientIsGone();
  const output = claimOutput();
  const handle: StdioServerHandle = serveStdio(
    async () => createMcpServer({ ...deps, session: await session(), broke }),
    { transport: new StdioServerTransport(process.stdin, output), onerror: broke },
  );
  try {
    await Promise.race([gone, stopped]);
  } finally {
    // Nobody may be left to hear why it stopped.
    stopped.catch(() => undefined);
    await handle.close();
    output.end();
    await finished(output);
  }
}
