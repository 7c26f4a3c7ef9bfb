// The client of the commands: calls a server over HTTP, or a data folder that this process has opened.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { asReceived, isUnclaimed } from '../../../tools/documents/schemas/file.ts';
import type { Operation } from '../../../tools/operation.ts';
import type { Memoir } from '../../calls/memoir.ts';
import type { PartHealth } from '../../core/health.ts';
import { messageOf } from '../../lib/failures.ts';
import { isObject } from '../../lib/objects.ts';
import { CommandFailure } from '../failure.ts';
import { type LocalFile, readPieces } from './local-files.ts';
import { sendForm } from './send-form.ts';
import { untilSilent } from './silence.ts';

type Input<O extends Operation> = z.input<O['input']>;
type Output<O extends Operation> = z.output<O['output']>;
/** Receives the number of bytes sent so far. */
type OnBytesSent = (bytes: number) => void;

export interface ServerHealth {
  ready: boolean;
  version: string;
  /** Null: the key may not see them. */
  parts: Record<string, PartHealth> | null;
}

export interface Client {
  /** Null: no server listens; the folder is open for this command alone. */
  readonly url: string | null;
  call<O extends Operation>(operation: O, input: Input<O>): Promise<Output<O>>;
  /** For operations that take a file. */
  upload<O extends Operation>(
    operation: O,
    fields: Omit<Input<O>, 'file'>,
    file: LocalFile,
    sent: OnBytesSent,
  ): Promise<Output<O>>;
  health(): Promise<ServerHealth>;
  close(): Promise<void>;
}

// --- by HTTP ---------------------------------------------------------------------------------------

/** Longer than any call takes that still makes progress. */
const CALL_MS = 120_000;

const queryValue = (value: unknown): string => (isObject(value) ? JSON.stringify(value) : String(value));

const queryString = (fields: Record<string, unknown>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, queryValue(each));
  }
  return query.size > 0 ? `?${query}` : '';
};

/** The path and body of the request for an operation. */
export const operationRequest = (
  { rest }: Operation,
  input: unknown,
): { path: string; body: string | null } => {
  const left = Object.fromEntries(
    Object.entries(isObject(input) ? input : {}).filter(([, value]) => value !== undefined),
  );
  const path = rest.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = left[name];
    delete left[name];
    return encodeURIComponent(String(value));
  });
  const inQuery = (rest.fields ?? (rest.method === 'GET' ? 'query' : 'body')) === 'query';
  return inQuery ? { path: path + queryString(left), body: null } : { path, body: JSON.stringify(left) };
};

const refusalBody = z.object({ error: z.string(), details: z.string().optional() });

/** `leaving`: the server takes no calls at the moment, and this call changed nothing. */
const refusedAnswer = (status: number, body: unknown, url: string, leaving = false): CommandFailure => {
  const read = refusalBody.safeParse(body);
  const sentence = read.success
    ? [read.data.error, read.data.details].filter(Boolean).join(' ')
    : `The server at ${url} is not a Memoir server (it answered with status ${status}). Check the address.`;
  // The server speaks of headers, which a command sends itself.
  const options = status === 401 ? ' Give another key with --api-key, or set MEMOIR_API_KEY.' : '';
  return new CommandFailure(`${sentence}${options}`, { facts: { status, ...(leaving ? { leaving } : {}) } });
};

const parseAnswer = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

interface Answer {
  status: number;
  body: unknown;
  leaving: boolean;
}

const fetchAnswer = async (
  url: string,
  path: string,
  init: RequestInit,
  hangs: AbortSignal,
): Promise<Answer> => {
  try {
    const signal = AbortSignal.any([hangs, AbortSignal.timeout(CALL_MS)]);
    const response = await fetch(url + path, { ...init, signal });
    const text = await response.text();
    // A server that is starting, stopping or out of memory for bodies sends Retry-After; it has changed nothing.
    const leaving = response.status === 503 && response.headers.has('retry-after');
    const isText = response.headers.get('content-type')?.startsWith('text/plain') === true;
    const body = text === '' ? null : isText && response.ok ? text : parseAnswer(text);
    return { status: response.status, body, leaving };
  } catch (cause) {
    throw unreachable(url, cause);
  }
};

const unreachable = (url: string, cause: unknown): CommandFailure => {
  const why = cause instanceof Error && cause.cause !== undefined ? messageOf(cause.cause) : messageOf(cause);
  const sentence = `No Memoir server answers at ${url}: ${why}. Check the address, and that the server is running.`;
  return new CommandFailure(sentence, { cause });
};

const notMemoir = (url: string): CommandFailure =>
  new CommandFailure(
    `The answer of ${url} does not have the expected format. Compare the versions of server and command with "memoir status".`,
  );

const partsAnswer = z.record(
  z.string(),
  z.object({
    status: z.enum(['ok', 'starting', 'degraded', 'down']),
    detail: z.string().exactOptional(),
  }),
);

const healthAnswer = z
  .object({
    status: z.enum(['ok', 'degraded', 'unavailable']),
    version: z.string(),
    parts: partsAnswer.optional(),
  })
  .transform(({ status, version, parts = null }) => ({ ready: status !== 'unavailable', version, parts }));

const outputOf = <O extends Operation>(
  operation: O,
  { status, body, leaving }: Answer,
  url: string,
): Output<O> => {
  if (status >= 400) throw refusedAnswer(status, body, url, leaving);
  const read = operation.output.safeParse(body);
  if (!read.success) throw notMemoir(url);
  return read.data as Output<O>;
};

export const httpClient = (address: string, key: string): Client => {
  const url = address.replace(/\/+$/, '');
  return {
    url,
    async upload(operation, fields, file, sent) {
      const asked = { url: url + operation.rest.path, key, fields, file, sent };
      const { status, text } = await untilSilent(url, (hangs) => sendForm(asked, hangs)).catch(
        (cause: unknown) => {
          throw cause instanceof CommandFailure ? cause : unreachable(url, cause);
        },
      );
      return outputOf(operation, { status, body: parseAnswer(text), leaving: false }, url);
    },
    async call(operation, input) {
      const { path, body } = operationRequest(operation, input);
      const init = {
        method: operation.rest.method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        body,
      };
      const answer = await untilSilent(url, (hangs) => fetchAnswer(url, path, init, hangs));
      return outputOf(operation, answer, url);
    },
    /** A server that is not ready sends the same body with a 503. */
    async health() {
      const headers = { authorization: `Bearer ${key}` };
      const ask = (hangs: AbortSignal) => fetchAnswer(url, '/health', { headers }, hangs);
      const { status, body } = await untilSilent(url, ask);
      const read = healthAnswer.safeParse(body);
      if (!read.success) throw refusedAnswer(status, body, url);
      return read.data;
    },
    close: async () => {},
  };
};

// --- in this process -------------------------------------------------------------------------------

export const folderClient = (memoir: Memoir, key: string, way: 'cli' | 'mcp' = 'cli'): Client => {
  const { signal } = new AbortController();
  const call: Client['call'] = async (operation, input) => {
    const credentials = { key, address: '127.0.0.1', requestId: randomUUID(), way };
    return (await memoir.invoke(operation, input, credentials, signal)) as Output<typeof operation>;
  };
  return {
    url: null,
    call,
    async upload(operation, fields, local, sent) {
      const received = await memoir.files.receive(readPieces(local, sent));
      const file = asReceived({ ...received, name: local.name, mimeType: null });
      try {
        return await call(operation, { ...fields, file } as Input<typeof operation>);
      } finally {
        if (isUnclaimed(file)) await memoir.files.erase(file.key);
      }
    },
    health: () => memoir.service.health(),
    close: () => memoir.close(),
  };
};
