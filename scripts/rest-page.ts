// The page docs/rest.md: every operation with its fields, from the registry.
import { z } from 'zod';
import type { Operation } from '../tools/operation.ts';

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  format?: string;
  default?: unknown;
  $ref?: string;
}

const GROUPS: Readonly<Record<string, string>> = {
  documents: 'Documents',
  search: 'Search',
  keys: 'Keys',
  session: 'Session',
  spaces: 'Embedding spaces',
  containerTags: 'Container tags',
  projects: 'Projects',
  settings: 'Settings',
  profile: 'Profile',
  connections: 'Connections',
};

const HEAD = `# REST

Every call carries a key: \`Authorization: Bearer <key>\` or \`x-api-key: <key>\`. Bodies are JSON; a file is sent
in a form (\`multipart/form-data\`). Every error is \`{ "error": text, "details"?: text }\`; the request id is in the header
\`x-request-id\`. The same description for machines is served at \`/v3/openapi\`. Unknown fields are ignored.

| status | when |
|---|---|
| 400 | a field is missing or wrong; the answer names every such field |
| 401 | no key, or one that is unknown, disabled or expired |
| 403 | the key may not do this, or not with this tag; the answer names the tags it may use |
| 404 | there is no such document or route |
| 405 | the route exists, with another method |
| 409 | the change contradicts what is stored |
| 408 | the body arrived too slowly |
| 413 | the body is over 50 MiB, or over 1 MiB where the operation only reads |
| 417 | the header \`Expect\` asks for something else than \`100-continue\` |
| 429 | too many requests, or too many large ones at once; \`Retry-After\` says how long to wait |
| 500 | our fault; the log names the cause under the request id |
| 503 | a part that this call needs does not answer |

Open without a key: \`GET /health\` (status and version; with a key that may use all tags also the parts), \`GET /v3/openapi\`, \`GET /v4/openapi\`, and the signed links that
\`/v3/documents/{id}/file-url\` gives. The former paths \`/v3/memories\` and \`/v3/memories/…\` answer 308 to the matching
path under \`/v3/documents\`; a form is taken there at once. The paths of version 5 of the published API (\`/ns/…\`) are
listed in [Migrating from supermemory](migrate-from-supermemory.md#version-5).
`;

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const typeLabel = (schema: Schema): string => {
  if (schema.format === 'binary') return 'file';
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(' ');
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeLabel))].join(' or ');
  if (schema.type === 'array') return `list of ${schema.items ? typeLabel(schema.items) : 'anything'}`;
  return Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything');
};

const fieldRow = (name: string, field: Schema, required: boolean): string => {
  const kind =
    field.default === undefined
      ? typeLabel(field)
      : `${typeLabel(field)}, default \`${JSON.stringify(field.default)}\``;
  return `| \`${name}\` | ${escapeCell(kind)} | ${required ? 'yes' : ''} | ${escapeCell(field.description ?? '')} |`;
};

const fieldsTable = (operation: Operation): string[] => {
  const schema = z.toJSONSchema(operation.input, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as Schema;
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return [];
  const required = new Set(schema.required);
  return [
    '| field | type | required | meaning |',
    '|---|---|---|---|',
    ...fields.map(([name, field]) => fieldRow(name, field, required.has(name))),
    '',
  ];
};

const WHO: Readonly<Record<Operation['reaches'], string>> = {
  tags: 'Bound to the tags of the key.',
  document: 'Bound to the tags of the key.',
  inside: 'Bound to the tags of the key.',
  self: 'Any key.',
  account: 'For keys with full access, and for members in person, who reach what is their own.',
  organisation: 'Only for keys with full access, owners and admins.',
};

const operationSection = (operation: Operation): string[] => {
  const { method, path, status } = operation.rest;
  return [
    `### \`${method} ${path}\``,
    '',
    `${operation.summary}. ${operation.description ?? ''}`.trim(),
    '',
    `Answers ${status}${status === 204 ? ' with no body' : ''}. Needs ${operation.permission} permission. ${operation.role === 'owner' ? 'Only for owners and keys with their rights.' : WHO[operation.reaches]}`,
    '',
    ...fieldsTable(operation),
  ];
};

export const renderRestPage = (operations: readonly Operation[]): string => {
  const groups = Map.groupBy(operations, (operation) => operation.name.split('.')[0] ?? '');
  const sections = [...groups].flatMap(([group, members]) => [
    `## ${GROUPS[group] ?? group}`,
    '',
    ...members.flatMap(operationSection),
  ]);
  return `<!-- Generated by \`npm run generate\` from the operations; do not edit. -->\n${HEAD}\n${sections.join('\n').trimEnd()}\n`;
};
