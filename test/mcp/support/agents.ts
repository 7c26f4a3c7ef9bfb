// Agents as hosts connect them: both generations of the official client, over HTTP and over standard input and output.
import {
  Client as Client2026,
  StreamableHTTPClientTransport as Http2026,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2026 } from '@modelcontextprotocol/client/stdio';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio2025 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { PROGRAM } from '../../support/program.ts';

export type Generation = '2025' | '2026';

/** A server by its address, or a command that is started with these arguments. */
export type Reach = { url: string; key: string } | { args: readonly string[]; cwd?: string };

export interface ToolResult {
  isError: boolean;
  text: string;
  data: Record<string, unknown>;
}

export interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

export interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: Progress) => void;
}

export interface Listed {
  name: string;
  description?: string | undefined;
  inputSchema: { properties?: Record<string, object> | undefined };
  outputSchema?: object | undefined;
  annotations?: object | undefined;
}

export interface TestAgent {
  tools(): Promise<Listed[]>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
  read(uri: string): Promise<string>;
  prompt(name: string, args: Record<string, string>): Promise<string>;
  complete(uri: string, argument: string, typed: string): Promise<string[]>;
  close(): Promise<void>;
}

const OURS = /^(MEMOIR_|CHROMA_|OPENAI_|PORT$|HOST$|NODE_OPTIONS$|npm_)/;

const cleanEnv = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || OURS.test(name) ? [] : [[name, value]],
    ),
  );

const commandOf = ({ args, cwd }: { args: readonly string[]; cwd?: string }) => ({
  command: process.execPath,
  args: [PROGRAM, 'mcp', ...args],
  env: cleanEnv(),
  stderr: 'ignore' as const,
  ...(cwd === undefined ? {} : { cwd }),
});

const asked = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

/** The fields of a result that both clients return and tests read. */
interface Given {
  isError?: boolean | undefined;
  content?: unknown;
  structuredContent?: unknown;
}

const resultOf = ({ isError = false, content, structuredContent }: Given): ToolResult => ({
  isError,
  text: ((content ?? []) as { text?: string }[]).map(({ text }) => text ?? '').join('\n'),
  data: (structuredContent ?? {}) as Record<string, unknown>,
});

const textsIn = (parts: readonly object[]): string =>
  parts.map((part) => ('text' in part ? String(part.text) : '')).join('\n');

interface Message {
  content: object;
}

const messagesText = (messages: readonly Message[]): string =>
  textsIn(messages.map(({ content }) => content));

const open2026 = async (reach: Reach): Promise<TestAgent> => {
  const client = new Client2026({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const transport =
    'url' in reach
      ? new Http2026(new URL(`${reach.url}/mcp`), asked(reach.key))
      : new Stdio2026(commandOf(reach));
  await client.connect(transport);
  if (client.getProtocolEra() !== 'modern') throw new Error('The server did not speak the new revision.');
  return {
    tools: async () => (await client.listTools()).tools as Listed[],
    call: async (name, args, options) => resultOf(await client.callTool({ name, arguments: args }, options)),
    read: async (uri) => textsIn((await client.readResource({ uri })).contents),
    prompt: async (name, args) => messagesText((await client.getPrompt({ name, arguments: args })).messages),
    async complete(uri, name, value) {
      const ref = { type: 'ref/resource' as const, uri };
      return (await client.complete({ ref, argument: { name, value } })).completion.values;
    },
    close: () => client.close(),
  };
};

const open2025 = async (reach: Reach): Promise<TestAgent> => {
  const client = new Client2025({ name: 'test', version: '1' });
  const transport =
    'url' in reach
      ? new Http2025(new URL(`${reach.url}/mcp`), asked(reach.key))
      : new Stdio2025(commandOf(reach));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    tools: async () => (await client.listTools()).tools as Listed[],
    call: async (name, args, options) =>
      resultOf((await client.callTool({ name, arguments: args }, undefined, options)) as Given),
    read: async (uri) => textsIn((await client.readResource({ uri })).contents),
    prompt: async (name, args) => messagesText((await client.getPrompt({ name, arguments: args })).messages),
    async complete(uri, name, value) {
      const ref = { type: 'ref/resource' as const, uri };
      return (await client.complete({ ref, argument: { name, value } })).completion.values;
    },
    close: () => client.close(),
  };
};

export const openAgent = (generation: Generation, reach: Reach): Promise<TestAgent> =>
  generation === '2026' ? open2026(reach) : open2025(reach);
