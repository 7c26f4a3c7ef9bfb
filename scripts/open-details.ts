// Generates docs/open-details.md: the choices that the specification leaves open, from the promises marked as ours.
import { join } from 'node:path';
import type { PromiseRow } from '../test/spec/promise.ts';

export const openDetailsPage = join(import.meta.dirname, '..', 'docs', 'open-details.md');

const HEADER = `<!-- Generated from test/spec/promises/ by \`npm run generate\`; edit the promises, not this page. -->

# Open details

Memoir had to choose its behaviour for every case that neither the specification nor the published contract describes. This page lists the choices, each with the id of its promise.
`;

const TITLES: Readonly<Record<string, string>> = {
  auth: 'Authentication',
  bodies: 'Request bodies',
  client: 'Clients',
  content: 'Content',
  conversations: 'Conversations',
  describe: 'Descriptions',
  documents: 'Documents',
  errors: 'Errors',
  health: 'Health',
  keys: 'Keys',
  memories: 'Memories',
  processing: 'Processing',
  profile: 'Profile',
  proxy: 'Proxies and hosts',
  resend: 'Content sent again',
  search: 'Search',
  settings: 'Settings',
  tags: 'Container tags',
  upload: 'Uploads',
  versions: 'Versions',
};

const isOwnPromise = (row: PromiseRow): boolean =>
  row.source === 'ours' || row.source === 'contract 0a (ours)';
const promiseGroup = (row: PromiseRow): string => row.id.split(':')[0] ?? row.id;
const promiseLine = (row: PromiseRow): string => `- ${row.says} (\`${row.id}\`)`;

const promiseSection = ([group, rows]: [string, PromiseRow[]]): string =>
  `\n## ${TITLES[group] ?? group}\n\n${rows.map(promiseLine).join('\n')}\n`;

export const renderOpenDetails = (rows: readonly PromiseRow[]): string => {
  const groups = Object.entries(Object.groupBy(rows.filter(isOwnPromise), promiseGroup)) as [
    string,
    PromiseRow[],
  ][];
  return HEADER + groups.map(promiseSection).join('');
};
