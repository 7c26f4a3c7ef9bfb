// The one path that every call takes: who → rate → parse → scope → run → check the answer → record.
import type { Operation } from '../tools/contract.ts';
import type { Caller, KeyHolder } from './domain/access/caller.ts';
import { badRequest, MemoirError } from './errors.ts';
import type { Events, Way } from './events.ts';
import { describeIssues } from './lib/issues.ts';
import type { Service } from './service.ts';

export interface Meta {
  requestId: string;
  way: Way;
}

export interface Credentials extends Meta {
  key: string | null;
  address: string;
}

export interface Invoke {
  (operation: Operation, input: unknown, credentials: Credentials, signal: AbortSignal): Promise<unknown>;
  /** Who and rate: the part that HTTP does before it reads a body. */
  admit(credentials: Credentials): Promise<KeyHolder>;
  /** The rest. */
  run(
    operation: Operation,
    input: unknown,
    holder: KeyHolder,
    meta: Meta,
    signal: AbortSignal,
  ): Promise<unknown>;
}

export interface InvokeDeps {
  service: Service;
  events: Events;
}

/** What usage shows for a call whose caller went away; never sent. */
const GONE = 499;

const isAbort = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'));

function parse(operation: Operation, input: unknown): unknown {
  try {
    const parsed = operation.input.safeParse(input);
    if (parsed.success) return parsed.data;
    throw badRequest(`Invalid request: ${describeIssues(parsed.error.issues)}`);
  } catch (error) {
    // Schemas that refer to themselves recurse, and an input can be nested deeper than the stack.
    if (error instanceof RangeError)
      throw badRequest('Invalid request: it is nested too deeply', { cause: error });
    throw error;
  }
}

/** An answer that does not fit its schema is our bug; the issues name fields, never values. */
function check(operation: Operation, output: unknown): unknown {
  const checked = operation.output.safeParse(output);
  if (checked.success) return checked.data;
  throw new Error(`${operation.name} answered outside its contract: ${describeIssues(checked.error.issues)}`);
}

const hidden = (requestId: string, cause: unknown): MemoirError =>
  new MemoirError(500, 'Something failed on the server. Its log names the cause under the request id.', {
    details: `Request id: ${requestId}`,
    cause,
  });

export function createInvoke({ service, events }: InvokeDeps): Invoke {
  /** Whatever was thrown, as an error that a caller may see. */
  function answerable(error: unknown, where: string, requestId: string): MemoirError {
    if (!(error instanceof MemoirError) || error.status === 500) {
      events.broke({ where, requestId, cause: error });
      return hidden(requestId, error);
    }
    if (error.status === 503) events.partMissing({ where, requestId, cause: error });
    return error;
  }

  async function admit({ key, address, requestId, way }: Credentials): Promise<KeyHolder> {
    try {
      const holder = await service.access.authenticate(key, address);
      await service.access.admit(holder);
      return holder;
    } catch (error) {
      const answer = answerable(error, 'admit', requestId);
      events.turnedAway({ way, requestId, status: answer.status });
      throw answer;
    }
  }

  async function perform(operation: Operation, input: unknown, holder: KeyHolder, signal: AbortSignal) {
    const parsed = parse(operation, input);
    const { permission, reaches } = operation;
    const caller: Caller = service.access.enter(holder, {
      permission,
      reaches,
      tags: operation.tags?.(parsed),
    });
    signal.throwIfAborted();
    return check(operation, await operation.run(service, parsed, caller, signal));
  }

  const run: Invoke['run'] = async (operation, input, holder, { requestId, way }, signal) => {
    const started = performance.now();
    const finished = (status: number) => {
      const ms = Math.round(performance.now() - started);
      events.called({ operation: operation.name, way, requestId, keyId: holder.keyId, status, ms });
    };
    try {
      const output = await perform(operation, input, holder, signal);
      finished(operation.rest.status);
      return output;
    } catch (error) {
      if (isAbort(error, signal)) {
        finished(GONE);
        throw error;
      }
      const answer = answerable(error, operation.name, requestId);
      finished(answer.status);
      throw answer;
    }
  };

  const invoke = async (
    operation: Operation,
    input: unknown,
    credentials: Credentials,
    signal: AbortSignal,
  ) => run(operation, input, await admit(credentials), credentials, signal);

  return Object.assign(invoke, { admit, run });
}
