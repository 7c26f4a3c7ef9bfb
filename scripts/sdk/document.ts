// The description of the service, read into what the client is generated from.

export interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  description?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  contentSchema?: Schema;
  default?: unknown;
}

interface Content {
  content?: Record<
    string,
    { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
  >;
}

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: Schema;
}

interface Described {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
}

export interface OpenApi {
  info: { version: string };
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

export interface ClientOperation {
  /** `documents` and `batchAdd` of `documents.batchAdd` */
  group: string;
  method: string;
  /** `DocumentsBatchAdd` */
  typeName: string;
  verb: string;
  path: string;
  summary: string;
  description: string;
  pathNames: string[];
  query: Parameter[];
  /** The name of the type of what is sent; undefined: nothing is. */
  request: { type: string; place: 'query' | 'body' | 'form'; required: boolean } | undefined;
  /** The name of the type of the answer; undefined: there is none. */
  response: string | undefined;
  list: { items: string; type: string; paged: boolean } | undefined;
  tagged: boolean;
  /** The answer is plain text. */
  plain: boolean;
}

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const nameOf = (ref: string): string => ref.slice('#/components/schemas/'.length);

export const resolve = (api: OpenApi, schema: Schema): Schema => {
  const target = schema.$ref === undefined ? undefined : api.components.schemas[nameOf(schema.$ref)];
  return target === undefined ? schema : resolve(api, target);
};

/** The type of a list's entry, seen from the type of its page. */
const entryOf = (response: string, items: string): string => `T.${response}${items}[number]`;

const lists = (schema: Schema): string[] =>
  Object.entries(schema.properties ?? {})
    .filter(([, { type }]) => type === 'array')
    .map(([name]) => name);

/** A page says so; what lists without pages is called so, or answers with a bare list. */
const listOf = (api: OpenApi, { operationId }: Described, response: string, sent: readonly string[]) => {
  const schema = resolve(api, { $ref: `#/components/schemas/${response}` });
  if (schema.type === 'array') return { items: '', type: entryOf(response, ''), paged: false };
  const [items, ...others] = lists(schema);
  if (items === undefined || others.length > 0) return undefined;
  const type = entryOf(response, `['${items}']`);
  if (schema.properties?.pagination && sent.includes('page')) return { items, type, paged: true };
  const isList = /\.(list\w*|chunks|inferred|resources)$/.test(operationId);
  return isList ? { items, type, paged: false } : undefined;
};

/** Operations in which tags name a scope or a destination; elsewhere they name what is changed or deleted. */
const SCOPED = new Set(['documents', 'search', 'profile', 'memories', 'conversations']);
const UNSCOPED = new Set(['documents.update', 'documents.deleteBulk']);

const isTagged = (group: string, operationId: string, sent: readonly string[]): boolean =>
  SCOPED.has(group) && !UNSCOPED.has(operationId) && sent.includes('containerTag');

const requestOf = (api: OpenApi, { requestBody, parameters = [] }: Described, typeName: string) => {
  const [[media = '', content] = []] = Object.entries(requestBody?.content ?? {});
  const query = parameters.filter((parameter) => parameter.in === 'query');
  if (content === undefined) {
    if (query.length === 0) return { request: undefined, sent: [], query };
    const required = query.some((parameter) => parameter.required);
    const request = { type: `${typeName}Query`, place: 'query' as const, required };
    return { request, sent: query.map(({ name }) => name), query };
  }
  const place = media.startsWith('multipart/') ? ('form' as const) : ('body' as const);
  const sent = Object.keys(resolve(api, content.schema).properties ?? {});
  const required = requestBody?.required === true;
  return { request: { type: nameOf(content.schema.$ref ?? ''), place, required }, sent, query };
};

const operationOf = (api: OpenApi, path: string, verb: string, described: Described): ClientOperation => {
  const { operationId, summary, description = '', responses } = described;
  const [group = '', method = ''] = operationId.split('.');
  const typeName = capital(group) + capital(method);
  const [, success = {}] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const [answered] = Object.values(success.content ?? {});
  const response = answered?.schema.$ref === undefined ? undefined : nameOf(answered.schema.$ref);
  const { request, sent, query } = requestOf(api, described, typeName);
  return {
    ...{
      group,
      method,
      typeName,
      verb: verb.toUpperCase(),
      path,
      summary,
      description,
      query,
      request,
      response,
    },
    pathNames: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    list: response === undefined ? undefined : listOf(api, described, response, sent),
    tagged: isTagged(group, operationId, sent),
    plain: success.content?.['text/plain'] !== undefined,
  };
};

export const operationsOf = (api: OpenApi): ClientOperation[] =>
  Object.entries(api.paths)
    .flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, described]) => operationOf(api, path, verb, described)),
    )
    .sort((a, b) => (`${a.group}.${a.method}` < `${b.group}.${b.method}` ? -1 : 1));
