// The steps of every call: authenticate, check the rate, check the right, parse, check the scope, run, check the answer, record.
import type { Operation } from '../../tools/operation.ts';
import { intentOf } from '../core/audit-note.ts';
import { badRequest, MemoirError, QueryEndedError } from '../core/errors.ts';
import type { CallFacts, Events, Way } from '../core/events.ts';
import { type Caller, defaultTags, type Principal } from '../core/principal.ts';
import { describeIssues } from '../lib/issues.ts';
import { parseInput } from '../lib/parse-input.ts';
import type { Service } from './service.ts';
import { storageError } from './storage-error.ts';

export interface Meta {
  requestId: string;
  way: Way;
  /** The address of the client. */
  address: string;
}

export interface Credentials extends Meta {
  key: string | null;
  /** The cookie of a signed-in browser; a key is judged alone. */
  session?: string | null;
}

export interface Invoke {
  (operation: Operation, input: unknown, credentials: Credentials, signal: AbortSignal): Promise<unknown>;
  /** Authenticates and checks the rate; HTTP does this before it reads a body. */
  admit(credentials: Credentials): Promise<Principal>;
  /** 403 if the principal may never call the operation, whatever the input; HTTP asks before it reads a body. */
  checkRight(operation: Operation, principal: Principal, meta: Meta): void;
  /** The remaining steps, after `admit`. */
  run(
    operation: Operation,
    input: unknown,
    principal: Principal,
    call: Meta & { signal: AbortSignal },
  ): Promise<unknown>;
}

export interface InvokeDeps {
  service: Service;
  events: Events;
}

/** The recorded status of a call whose client closed the connection; never sent. */
const CLIENT_CLOSED = 499;

const isAbort = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'));

const readInput = (operation: Operation, input: unknown): unknown => {
  try {
    const parsed = parseInput(operation.input, input);
    if (parsed.success) return parsed.data;
    throw badRequest(`Invalid request: ${describeIssues(parsed.error.issues)}`);
  } catch (error) {
    // Schemas that refer to themselves recurse, and an input can be nested deeper than the stack.
    if (error instanceof RangeError)
      throw badRequest('Invalid request: the input is nested too deeply', { cause: error });
    throw error;
  }
};

/** An answer that does not match its schema is a bug in Memoir; the issues name fields, never values. */
const checkOutput = (operation: Operation, output: unknown): unknown => {
  const checked = operation.output.safeParse(output);
  if (checked.success) return checked.data;
  throw new Error(
    `${operation.name} returned an answer that does not match its schema: ${describeIssues(checked.error.issues)}`,
  );
};

const hiddenError = (requestId: string, cause: unknown): MemoirError =>
  new MemoirError(
    500,
    'An internal error occurred. Look for the request id in the server log to find the cause.',
    {
      details: `Request id: ${requestId}`,
      cause,
    },
  );

/** Converts any error to one that a caller may see. */
const answerableError = (events: Events, error: unknown, where: string, requestId: string): MemoirError => {
  const stored = storageError(error);
  if (stored !== null) {
    events.storageFailed({ where, requestId, cause: error });
    return stored;
  }
  if (!(error instanceof MemoirError) || error.status === 500) {
    events.broke({ where, requestId, cause: error });
    return hiddenError(requestId, error);
  }
  if (error.status === 503 && !(error instanceof QueryEndedError))
    events.partMissing({ where, requestId, cause: error });
  return error;
};

const admitCaller = async (
  { service, events }: InvokeDeps,
  { key, session = null, address, requestId, way }: Credentials,
): Promise<Principal> => {
  try {
    const principal =
      key === null && session !== null
        ? await service.access.resume(session, address)
        : await service.access.authenticate(key, address);
    await service.access.admit(principal);
    return principal;
  } catch (error) {
    const answer = answerableError(events, error, 'admit', requestId);
    events.turnedAway({ way, requestId, status: answer.status });
    throw answer;
  }
};

/** The caller of a change that the audit log notes carries who makes it, and how. */
const audited = ({ audits }: Operation, caller: Caller, call: Meta): Caller =>
  audits === undefined ? caller : { ...caller, audit: intentOf(caller, audits, call) };

/** Only added documents and searches use up a quota at their call; tokens are counted when they were used. */
const usesQuota = ({ documents, searches }: CallFacts): boolean => documents > 0 || searches > 0;

interface Performing {
  input: unknown;
  principal: Principal;
  call: Meta & { signal: AbortSignal };
  /** Told what the call is about as soon as it may run. */
  entered(facts: CallFacts): void;
  /** Told that the call counts for a quota; `settle` is to be called once the call is recorded. */
  reserved(settle: () => void): void;
}

const NOTHING_ADDED = { documents: 0, bytes: 0 };

/** Content that names no tag gets the default one. */
const factsOf = (
  { adds, searches }: Operation,
  input: unknown,
  { tags, caller }: { tags: readonly string[] | undefined; caller: Principal },
): CallFacts => {
  const added = adds?.(input) ?? NOTHING_ADDED;
  const counted = tags === undefined && added.documents > 0 ? defaultTags(caller) : (tags ?? []);
  return { tags: counted, ...added, searches: searches === true ? 1 : 0, input };
};

const perform = async (
  service: Service,
  operation: Operation,
  { input, principal, call, entered, reserved }: Performing,
): Promise<unknown> => {
  const { permission, reaches, role } = operation;
  const { signal } = call;
  service.access.checkRight(principal, operation);
  const parsed = readInput(operation, input);
  const tags = operation.tags?.(parsed);
  const asked = { permission, reaches, role, tags, signal };
  const caller = audited(operation, service.access.enter(principal, asked), call);
  const facts = factsOf(operation, parsed, { tags, caller });
  entered(facts);
  if (usesQuota(facts)) reserved(await service.usage.quotas.admit(caller, facts));
  signal.throwIfAborted();
  return checkOutput(operation, await operation.run(service, parsed, caller, signal));
};

export const createInvoke = (deps: InvokeDeps): Invoke => {
  const { service, events } = deps;
  const admit = (credentials: Credentials) => admitCaller(deps, credentials);

  const checkRight: Invoke['checkRight'] = (operation, principal, { requestId, way }) => {
    try {
      service.access.checkRight(principal, operation);
    } catch (error) {
      const { status } = answerableError(events, error, operation.name, requestId);
      events.called({ operation: operation.name, way, requestId, keyId: principal.keyId, status, ms: 0 });
      throw error;
    }
  };

  const run: Invoke['run'] = async (operation, input, principal, call) => {
    const { requestId, way, signal } = call;
    const started = performance.now();
    let facts: CallFacts | undefined;
    let settleQuota: (() => void) | undefined;
    const entered = (known: CallFacts) => {
      facts = known;
    };
    const reserved = (settle: () => void) => {
      settleQuota = settle;
    };
    const finished = (status: number, output?: unknown, error?: unknown) => {
      const ms = Math.round(performance.now() - started);
      const called = { operation: operation.name, way, requestId, keyId: principal.keyId, status, ms };
      events.called(called, facts && { ...facts, output });
      settleQuota?.();
      if (error instanceof QueryEndedError) events.queryEnded({ ...called, limitMs: error.limitMs });
    };
    try {
      const output = await perform(service, operation, { input, principal, call, entered, reserved });
      finished(operation.rest.status, output);
      return output;
    } catch (error) {
      if (isAbort(error, signal)) {
        finished(CLIENT_CLOSED);
        throw error;
      }
      const answer = answerableError(events, error, operation.name, requestId);
      finished(answer.status, undefined, answer);
      throw answer;
    }
  };

  const invoke = async (
    operation: Operation,
    input: unknown,
    credentials: Credentials,
    signal: AbortSignal,
  ) => run(operation, input, await admit(credentials), { ...credentials, signal });

  return Object.assign(invoke, { admit, checkRight, run });
};
