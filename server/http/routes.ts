// Each operation of the registry as a route: key, then body, then the one call.
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Method, Operation } from '../../tools/contract.ts';
import { isLoose } from '../../tools/shared/files.ts';
import type { Invoke } from '../invoke.ts';
import { readJson } from './body.ts';
import { methodNotAllowed } from './errors.ts';
import { type FileReceiver, readForm } from './form.ts';
import { addressOf, credentialOf, requestIdOf, wantedSignal } from './request.ts';
import { sendJson, sendPlain } from './send.ts';

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

export const fieldsOf = ({ method, fields }: Operation['rest']): 'query' | 'body' | 'form' =>
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

/** The fields of a request; `finish` is told when nothing more will be done with them. */
interface Given {
  fields: object;
  finish(): Promise<void>;
}

const nothingLeft = async (): Promise<void> => undefined;

/** A file that no operation took over is erased, whatever went wrong. */
async function givenForm(req: Request, res: Response, files: FileReceiver): Promise<Given> {
  const { fields, file } = await readForm(req, res, files);
  if (file === null) return { fields, finish: nothingLeft };
  const finish = () => (isLoose(file) ? files.erase(file.key) : nothingLeft());
  return { fields: { ...fields, file }, finish };
}

const readers = {
  query: async (req: Request): Promise<Given> => ({ fields: readQuery(req.url), finish: nothingLeft }),
  body: async (req: Request, res: Response): Promise<Given> => ({
    fields: await readJson(req, res),
    finish: nothingLeft,
  }),
  form: givenForm,
} as const;

function handle({ invoke, files }: RouteDeps, operation: Operation): RequestHandler {
  const { status, text } = operation.rest;
  const read = readers[fieldsOf(operation.rest)];
  return async (req, res) => {
    const meta = { requestId: requestIdOf(res), way: 'rest' as const };
    const signal = wantedSignal(res);
    const holder = await invoke.admit({ ...meta, key: credentialOf(req.headers), address: addressOf(req) });
    const { fields, finish } = await read(req, res, files);
    try {
      const input = { ...fields, ...req.params };
      const output = await invoke.run(operation, input, holder, meta, signal);
      if (text === true) sendPlain(res, status, String(output));
      else sendJson(res, status, output);
    } finally {
      await finish();
    }
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

export interface RouteDeps {
  invoke: Invoke;
  files: FileReceiver;
}

export function createRoutes(deps: RouteDeps, operations: readonly Operation[]): Router {
  const router = Router();
  const places = Map.groupBy(operations, ({ rest }) => shapeOf(rest.path));
  const shapes = [...places.keys()].sort(bySpecificity);
  for (const shape of shapes) {
    const here = places.get(shape) ?? [];
    for (const operation of here) {
      router[verb[operation.rest.method]](expressPath(operation.rest.path), handle(deps, operation));
    }
    const [first] = here;
    if (first) router.all(expressPath(first.rest.path), methodNotAllowed(allowedMethods(here)));
  }
  return router;
}
