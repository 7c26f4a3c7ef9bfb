// `resources.generated.ts`: a class for each group of operations, a method for each of them.
import { type ClientOperation, capital, type OpenApi, operationsOf } from './document.ts';
import { comment, HEAD } from './types.ts';

/** Names under which the published client has the same calls. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  'search.documents': ['execute'],
  'connections.delete': ['deleteByID', 'deleteByProvider'],
};

const answerOf = ({ response }: ClientOperation): string =>
  response === undefined ? 'null' : `T.${response}`;

export const returnsOf = (operation: ClientOperation): string =>
  operation.list === undefined
    ? `APIPromise<${answerOf(operation)}>`
    : `ListPromise<${answerOf(operation)}, ${operation.list.type}>`;

export const parametersOf = ({ pathNames, request }: ClientOperation): string[] => {
  const sent = request === undefined ? [] : [`params${request.required ? '' : '?'}: T.${request.type}`];
  return [...pathNames.map((name) => `${name}: string`), ...sent, 'options?: RequestOptions'];
};

const callOf = ({ verb, path, request, tagged, plain }: ClientOperation): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => `\${enc(${name})}`);
  const quote = filled === path ? "'" : '`';
  const parts = [
    `method: '${verb}'`,
    `path: ${quote}${filled}${quote}`,
    ...(request === undefined ? [] : [`${request.place}: params`]),
    ...(tagged ? ['tagged: true'] : []),
    ...(plain ? ['plain: true'] : []),
  ];
  return `{ ${parts.join(', ')} }`;
};

const bodyOf = (operation: ClientOperation): string => {
  const call = callOf(operation);
  const { list } = operation;
  if (list === undefined) return `this.one(${call}, options)`;
  const items = list.items === '' ? '(page) => page' : `(page) => page.${list.items}`;
  return `this.${list.paged ? 'paged' : 'whole'}(${call}, options, ${items})`;
};

const methodOf = (operation: ClientOperation): string[] => {
  const { method, verb, path, summary, group } = operation;
  const head = `${comment(`${summary}: \`${verb} ${path}\``, '  ')}  `;
  const parameters = parametersOf(operation).join(', ');
  const returns = returnsOf(operation);
  const names = operation.pathNames.concat(operation.request === undefined ? [] : ['params'], 'options');
  const aliases = (ALIASES[`${group}.${method}`] ?? []).map(
    (alias) =>
      `  /** The same as \`${method}\`. */\n  ${alias}(${parameters}): ${returns} {\n    return this.${method}(${names.join(', ')});\n  }`,
  );
  return [`${head}${method}(${parameters}): ${returns} {\n    return ${bodyOf(operation)};\n  }`, ...aliases];
};

const classOf = (group: string, operations: readonly ClientOperation[]): string => {
  return `export class ${capital(group)} extends Resource {\n${operations.flatMap(methodOf).join('\n\n')}\n}`;
};

const rootOf = (groups: readonly string[]): string => {
  const fields = groups.map((group) => `  readonly ${group}: ${capital(group)};`);
  const made = groups.map((group) => `    this.${group} = new ${capital(group)}(send);`);
  return [
    '/** Every group of operations. */',
    'export class Resources {',
    ...fields,
    '',
    '  constructor(send: Send) {',
    ...made,
    '  }',
    '}',
  ].join('\n');
};

export const renderResources = (api: OpenApi): string => {
  const groups = Map.groupBy(operationsOf(api), ({ group }) => group);
  const classes = [...groups].map(([group, operations]) => classOf(group, operations));
  return `${[
    ...HEAD,
    "import type { RequestOptions } from './options.ts';",
    "import type { APIPromise, ListPromise } from './promise.ts';",
    "import { enc, type Send } from './request.ts';",
    "import { Resource } from './resource.ts';",
    "import type * as T from './types.generated.ts';",
    '',
    [...classes, rootOf([...groups.keys()])].join('\n\n'),
  ].join('\n')}\n`;
};

export const aliasesOf = ({ group, method }: ClientOperation): readonly string[] =>
  ALIASES[`${group}.${method}`] ?? [];
