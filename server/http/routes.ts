// Each operation of the registry as a route: checks the key, reads the body, calls the operation.
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { isUnclaimed } from '../../tools/documents/schemas/file.ts';
import type { Method, Operation } from '../../tools/operation.ts';
import type { Invoke } from '../calls/invoke.ts';
import type { FileReceiver } from '../calls/memoir.ts';
import type { BodyBudget, BodyShare } from './bodies/budget.ts';
import { MAX_BODY_BYTES, MAX_QUERY_BYTES, readJsonBody } from './body.ts';
import { closeSignal } from './close-signal.ts';
import { methodNotAllowed } from './errors.ts';
import { readForm } from './form.ts';
import { clientAddress, keyFromHeaders, requestIdOf } from './request.ts';
import { sendJson, sendPlain } from './send.ts';
import { sessionOfCall } from './session-cookie.ts';

/** `/v3/documents/{id}` → `/v3/documents/:id` */
const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Paths that differ only in parameter names are one route with several methods. */
const shapeOf = (path: string): string => path.replace(/\{\w+\}/g, '{}');

/** `{` sorts after every letter, so a fixed segment wins over a parameter. */
const bySpecificity = (a: string, b: string): number => {
  const left = a.split('/');
  const right = b.split('/');
  for (const [index, part] of left.entries()) {
    const other = right[index] ?? '';
    if (part !== other) return part < other ? -1 : 1;
  }
  return left.length - right.length;
};

export const fieldsPlace = ({ method, fields }: Operation['rest']): 'query' | 'body' | 'form' | 'both' =>
  fields ?? (method === 'GET' ? 'query' : 'body');

/** A repeated field is a list; `tags[]` is the same field as `tags`. */
export const readQuery = (url: string): Record<string, string | string[]> => {
  const at = url.indexOf('?');
  const read: Record<string, string | string[]> = {};
  if (at === -1) return read;
  const query = new URLSearchParams(url.slice(at + 1));
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    const [only] = values;
    const list = name.endsWith('[]') || values.length > 1 || only === undefined;
    read[name.replace(/\[\]$/, '')] = list ? values : only;
  }
  return read;
};

/** The fields of a request; `finish` is called after the request. */
interface ReceivedFields {
  fields: object;
  finish(): Promise<void>;
}

const nothingToErase = async (): Promise<void> => undefined;

/** One request whose fields are read. */
interface Receiving {
  readonly req: Request;
  readonly res: Response;
  readonly files: FileReceiver;
  readonly share: BodyShare;
  readonly mostBytes: number;
  readonly signal: AbortSignal;
}

/** A file that no operation took over is erased after the request. */
const receiveForm = async ({ req, res, files, share }: Receiving): Promise<ReceivedFields> => {
  const { fields, file } = await readForm(req, res, { files, share });
  if (file === null) return { fields, finish: nothingToErase };
  const finish = () => (isUnclaimed(file) ? files.erase(file.key) : nothingToErase());
  return { fields: { ...fields, file }, finish };
};

const readers = {
  query: async ({ req }: Receiving): Promise<ReceivedFields> => ({
    fields: readQuery(req.url),
    finish: nothingToErase,
  }),
  body: async ({ req, res, ...limits }: Receiving): Promise<ReceivedFields> => ({
    fields: await readJsonBody(req, res, limits),
    finish: nothingToErase,
  }),
  both: async ({ req, res, ...limits }: Receiving): Promise<ReceivedFields> => ({
    fields: { ...readQuery(req.url), ...(await readJsonBody(req, res, limits)) },
    finish: nothingToErase,
  }),
  form: receiveForm,
} as const;

type FieldsReader = (typeof readers)[keyof typeof readers];
type Principal = Awaited<ReturnType<Invoke['admit']>>;

/** The share of the body in the memory for bodies is given back only when the call has ended. */
const runOperation = async (
  { invoke, read, operation }: { invoke: Invoke; read: FieldsReader; operation: Operation },
  receiving: Receiving,
  principal: Principal,
  call: Parameters<Invoke['run']>[3],
): Promise<unknown> => {
  try {
    const { fields, finish } = await read(receiving);
    try {
      return await invoke.run(operation, { ...fields, ...receiving.req.params }, principal, call);
    } finally {
      await finish();
    }
  } finally {
    receiving.share.close();
  }
};

const handleOperation = (deps: RouteDeps, operation: Operation): RequestHandler => {
  const { invoke, files, bodies, base } = deps;
  const { status, text, isAccepted } = operation.rest;
  const mostBytes = operation.permission === 'read' ? MAX_QUERY_BYTES : MAX_BODY_BYTES;
  const read = readers[fieldsPlace(operation.rest)];
  return async (req, res) => {
    const meta = { requestId: requestIdOf(res), way: 'rest' as const, address: clientAddress(req) };
    const signal = closeSignal(res);
    const principal = await invoke.admit({
      ...{ ...meta, key: keyFromHeaders(req.headers), session: sessionOfCall(req, base) },
    });
    invoke.checkRight(operation, principal, meta);
    const receiving = { req, res, files, mostBytes, signal, share: bodies.open(principal.keyId) };
    const output = await runOperation({ invoke, read, operation }, receiving, principal, { ...meta, signal });
    if (text === true) sendPlain(res, status, String(output));
    else sendJson(res, isAccepted?.(output) ? 202 : status, output);
  };
};

const verb = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
} as const satisfies Record<Method, string>;

const allowedMethods = (operations: readonly Operation[]): string[] => {
  const methods = operations.map(({ rest }) => rest.method as string);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
};

export interface RouteDeps {
  invoke: Invoke;
  /** The public address; empty: not known. */
  base: string;
  files: FileReceiver;
  /** The memory for request bodies. */
  bodies: BodyBudget;
}

/** Finds the routes whose path has no parameters at once: the router would try one pattern after the other. */
const routeByName = (routes: ReadonlyMap<string, RequestHandler>): RequestHandler => {
  return (req, res, next) => {
    const handle = routes.get(`${req.method} ${req.path}`);
    return handle ? handle(req, res, next) : next();
  };
};

export const operationRoutes = (deps: RouteDeps, operations: readonly Operation[]): Router => {
  const router = Router();
  const named = new Map<string, RequestHandler>();
  router.use(routeByName(named));
  const places = Map.groupBy(operations, ({ rest }) => shapeOf(rest.path));
  const shapes = [...places.keys()].sort(bySpecificity);
  for (const shape of shapes) {
    const here = places.get(shape) ?? [];
    for (const operation of here) {
      const { method, path } = operation.rest;
      const handle = handleOperation(deps, operation);
      if (!path.includes('{')) named.set(`${method} ${path}`, handle);
      router[verb[method]](expressPath(path), handle);
    }
    const [first] = here;
    if (first) router.all(expressPath(first.rest.path), methodNotAllowed(allowedMethods(here)));
  }
  return router;
};
