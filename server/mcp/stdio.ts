// MCP over standard input and output, for hosts that start `memoir mcp` themselves.
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AgentSession, Operation } from '../../tools/operation.ts';
import { createAnsweringTransport } from './answering-transport.ts';
import { createMcpServer } from './server.ts';

export interface StdioDeps {
  operations: readonly Operation[];
  version: string;
  /** The caller; read when the client sends its first message. */
  session(): Promise<AgentSession>;
  /** Called when the first answer is sent. */
  answered(): void;
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

/** Resolves when the client has closed its end and has its answers, or when the process must stop. */
export const serveToolsOverStdio = async ({
  session,
  answered,
  stopped,
  note,
  ...deps
}: StdioDeps): Promise<void> => {
  const broke = (error: unknown) =>
    note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const output = claimOutput();
  const connection = createAnsweringTransport(process.stdin, output);
  void connection.answered.then(answered);
  const handle: StdioServerHandle = serveStdio(
    async () => createMcpServer({ ...deps, session: await session(), broke }),
    // A broken line of the client is no fault of this program: a stack would only hide the sentence.
    { transport: connection.transport, onerror: ({ message }) => note(message) },
  );
  try {
    await Promise.race([connection.closed, stopped]);
  } finally {
    // Avoids an unhandled rejection after the race is over.
    stopped.catch(() => undefined);
    await handle.close();
    output.end();
    await finished(output);
  }
};
