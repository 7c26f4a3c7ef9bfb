// Each operation of the registry as a route: key, then body, then the one call.
import { type RequestHandler, Router } from 'express';
import type { Method, Operation } from '../../tools/contract.ts';
import type { Invoke } from '../invoke.ts';
import { readJson } from './body.ts';
import { methodNotAllowed } from './errors.ts';
import { addressOf, credentialOf, requestIdOf, wantedSignal } from './request.ts';
import { sendJson } from './send.ts';

/** `/v3/documents/{id}` → `/v3/documents/:id` */
const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Paths that differ only in the names of their parameters are one place with several methods. */
const shapeOf = (path: string): string => path.replace(/\{\w+\}/g, '{}');

/** `{` comes after every letter, so a word of the path wins over a parameter in its place. */
function bySpecificity(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (const [index, part] of left.entries()) {
    const other = right[index] ?? '';
    if (part !== other) return part < other ? -1 : 1;
  }
  return left.length - right.length;
}

export const fieldsOf = ({ method, fields }: Operation['rest']): 'query' | 'body' =>
  fields ?? (method === 'GET' ? 'query' : 'body');

/** A repeated field is a list; `tags[]` is the same field as `tags`. */
export function readQuery(url: string): Record<string, string | string[]> {
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
}

function handle(invoke: Invoke, operation: Operation): RequestHandler {
  const { status } = operation.rest;
  const fromQuery = fieldsOf(operation.rest) === 'query';
  return async (req, res) => {
    const meta = { requestId: requestIdOf(res), way: 'rest' as const };
    const signal = wantedSignal(res);
    const holder = await invoke.admit({ ...meta, key: credentialOf(req.headers), address: addressOf(req) });
    const fields = fromQuery ? readQuery(req.url) : await readJson(req, res);
    const input = { ...fields, ...req.params };
    sendJson(res, status, await invoke.run(operation, input, holder, meta, signal));
  };
}

const verb = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
} as const satisfies Record<Method, string>;

function allowedMethods(operations: readonly Operation[]): string[] {
  const methods = operations.map(({ rest }) => rest.method as string);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
}

export function createRoutes(invoke: Invoke, operations: readonly Operation[]): Router {
  const router = Router();
  const places = Map.groupBy(operations, ({ rest }) => shapeOf(rest.path));
  const shapes = [...places.keys()].sort(bySpecificity);
  for (const shape of shapes) {
    const here = places.get(shape) ?? [];
    for (const operation of here) {
      router[verb[operation.rest.method]](expressPath(operation.rest.path), handle(invoke, operation));
    }
    const [first] = here;
    if (first) router.all(expressPath(first.rest.path), methodNotAllowed(allowedMethods(here)));
  }
  return router;
}
