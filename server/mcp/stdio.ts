// MCP over standard input and output, for hosts that start `memoir mcp` themselves.
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type StdioServerHandle, StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AgentSession, Operation } from '../../tools/operation.ts';
import { createMcpServer } from './server.ts';

export interface StdioDeps {
  operations: readonly Operation[];
  version: string;
  /** The caller; read when the client sends its first message. */
  session(): Promise<AgentSession>;
  /** Resolves when the process must end. */
  stopped: Promise<unknown>;
  /** Writes to stderr; hosts keep it in their log. */
  note(text: string): void;
}

/**
 * Reserves standard output for the protocol: any other text there makes the host close the connection.
 * Other writes to stdout go to stderr.
 */
const claimOutput = (): Writable => {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  globalThis.console = new Console({ stdout: stderr, stderr });
  return new Writable({
    write(part: Buffer, _encoding, done) {
      write(part, done);
    },
  });
};

const clientClosedInput = (): Promise<void> =>
  finished(process.stdin, { writable: false }).catch(() => undefined);

/** Resolves when the client closes its end, or when the process must stop. */
export const serveToolsOverStdio = async ({ session, stopped, note, ...deps }: StdioDeps): Promise<void> => {
  const broke = (error: unknown) =>
    note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const inputClosed = clientClosedInput();
  const output = claimOutput();
  const handle: StdioServerHandle = serveStdio(
    async () => createMcpServer({ ...deps, session: await session(), broke }),
    { transport: new StdioServerTransport(process.stdin, output), onerror: broke },
  );
  try {
    await Promise.race([inputClosed, stopped]);
  } finally {
    // Avoids an unhandled rejection after the race is over.
    stopped.catch(() => undefined);
    await handle.close();
    output.end();
    await finished(output);
  }
};
