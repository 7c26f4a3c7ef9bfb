// How commands reach Memoir: the same calls by HTTP, or into a data folder that was opened for them.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import type { Operation } from '../../tools/contract.ts';
import { asReceived, isLoose } from '../../tools/shared/files.ts';
import type { Health, Memoir } from '../service.ts';
import { CommandFailure, textOf } from './failure.ts';
import { sendForm } from './form.ts';
import type { LocalFile } from './local-files.ts';

type Input<O extends Operation> = z.input<O['input']>;
type Output<O extends Operation> = z.output<O['output']>;
/** Told how many bytes of a file are on their way. */
type Sent = (bytes: number) => void;

export interface Client {
  /** Null: nobody listens, the folder was opened for this one command. */
  readonly url: string | null;
  call<O extends Operation>(operation: O, input: Input<O>): Promise<Output<O>>;
  /** For operations that take a file. */
  upload<O extends Operation>(
    operation: O,
    fields: Omit<Input<O>, 'file'>,
    file: LocalFile,
    sent: Sent,
  ): Promise<Output<O>>;
  health(): Promise<Health>;
  close(): Promise<void>;
}

// --- by HTTP ---------------------------------------------------------------------------------------

/** Longer than any call takes that is not stuck. */
const CALL_MS = 120_000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const queryText = (value: unknown): string => (isObject(value) ? JSON.stringify(value) : String(value));

function queryOf(fields: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, queryText(each));
  }
  return query.size > 0 ? `?${query}` : '';
}

/** The request that an operation's route stands for. */
export function requestOf({ rest }: Operation, input: unknown): { path: string; body: string | null } {
  const left = Object.fromEntries(
    Object.entries(isObject(input) ? input : {}).filter(([, value]) => value !== undefined),
  );
  const path = rest.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = left[name];
    delete left[name];
    return encodeURIComponent(String(value));
  });
  const inQuery = (rest.fields ?? (rest.method === 'GET' ? 'query' : 'body')) === 'query';
  return inQuery ? { path: path + queryOf(left), body: null } : { path, body: JSON.stringify(left) };
}

const refusal = z.object({ error: z.string(), details: z.string().optional() });

/** `leaving`: the server takes no calls now, and did nothing with this one. */
function refused(status: number, body: unknown, url: string, leaving = false): CommandFailure {
  const read = refusal.safeParse(body);
  const sentence = read.success
    ? [read.data.error, read.data.details].filter(Boolean).join(' ')
    : `What answers at ${url} is no Memoir server (status ${status}).`;
  return new CommandFailure(sentence, { facts: { status, ...(leaving ? { leaving } : {}) } });
}

const parseJson = (text: string): unknown => {
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

async function ask(url: string, path: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(CALL_MS) });
    const text = await response.text();
    // Only a server that is starting or stopping says when to come back, and does nothing before.
    const leaving = response.status === 503 && response.headers.has('retry-after');
    return { status: response.status, body: text === '' ? null : parseJson(text), leaving };
  } catch (cause) {
    throw unreachable(url, cause);
  }
}

function unreachable(url: string, cause: unknown): CommandFailure {
  const why = cause instanceof Error && cause.cause !== undefined ? textOf(cause.cause) : textOf(cause);
  const sentence = `No Memoir server answers at ${url}: ${why}. Check the address and that it runs.`;
  return new CommandFailure(sentence, { cause });
}

const strange = (url: string): CommandFailure =>
  new CommandFailure(
    `What ${url} answered is not what this memoir expects. Compare their versions with memoir status.`,
  );

const healthAnswer = z.object({
  ready: z.boolean(),
  version: z.string(),
  parts: z.record(
    z.string(),
    z.object({
      status: z.enum(['ok', 'starting', 'degraded', 'down']),
      detail: z.string().exactOptional(),
    }),
  ),
});

function outputOf<O extends Operation>(
  operation: O,
  { status, body, leaving }: Answer,
  url: string,
): Output<O> {
  if (status >= 400) throw refused(status, body, url, leaving);
  const read = operation.output.safeParse(body);
  if (!read.success) throw strange(url);
  return read.data as Output<O>;
}

export function httpClient(address: string, key: string): Client {
  const url = address.replace(/\/+$/, '');
  return {
    url,
    async upload(operation, fields, file, sent) {
      const asked = { url: url + operation.rest.path, key, fields, file, sent };
      const { status, text } = await sendForm(asked).catch((cause: unknown) => {
        throw unreachable(url, cause);
      });
      return outputOf(operation, { status, body: parseJson(text), leaving: false }, url);
    },
    async call(operation, input) {
      const { path, body } = requestOf(operation, input);
      const answer = await ask(url, path, {
        method: operation.rest.method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        body,
      });
      return outputOf(operation, answer, url);
    },
    /** 503 has the same body: it is not ready. */
    async health() {
      const { status, body } = await ask(url, '/health', {});
      const read = healthAnswer.safeParse(body);
      if (!read.success) throw refused(status, body, url);
      return read.data;
    },
    close: async () => {},
  };
}

// --- in this process -------------------------------------------------------------------------------

async function* read({ path }: LocalFile, sent: Sent): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of createReadStream(path)) {
    yield piece as Buffer;
    bytes += (piece as Buffer).length;
    sent(bytes);
  }
}

export function folderClient(memoir: Memoir, key: string, way: 'cli' | 'mcp' = 'cli'): Client {
  const { signal } = new AbortController();
  const call: Client['call'] = async (operation, input) => {
    const credentials = { key, address: '127.0.0.1', requestId: randomUUID(), way };
    return (await memoir.invoke(operation, input, credentials, signal)) as Output<typeof operation>;
  };
  return {
    url: null,
    call,
    async upload(operation, fields, local, sent) {
      const received = await memoir.files.receive(read(local, sent));
      const file = asReceived({ ...received, name: local.name, mimeType: null });
      try {
        return await call(operation, { ...fields, file } as Input<typeof operation>);
      } finally {
        if (isLoose(file)) await memoir.files.erase(file.key);
      }
    },
    health: () => memoir.service.health(),
    close: () => memoir.close(),
  };
}
