// Generates docs/open-details.md: what the specification left open and we settled, from the promises marked as ours.
// `node test/spec/open-details.ts` writes the page; `--check` only says whether it is current.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PromiseRow } from './promise.ts';
import { promises } from './promises.ts';

export const page = join(import.meta.dirname, '..', '..', 'docs', 'open-details.md');

const header = `<!-- Generated from test/spec/promises/ by \`npm run generate:open-details\`; edit the promises, not this page. -->

# Open details

Where neither the specification nor the published contract says what should happen, Memoir had to choose. These are the choices, each with the id of the promise that holds it to account. "Later" marks what is decided and not built yet.
`;

const titles: Readonly<Record<string, string>> = {
  auth: 'Authentication',
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
  resend: 'Content sent again',
  search: 'Search',
  settings: 'Settings',
  tags: 'Container tags',
  upload: 'Uploads',
};

const isOurs = (row: PromiseRow): boolean => row.source === 'ours' || row.source === 'contract 0a (ours)';
const groupOf = (row: PromiseRow): string => row.id.split(':')[0] ?? row.id;
const line = (row: PromiseRow): string => `- ${row.says} (\`${row.id}\`)${row.later ? ' *Later.*' : ''}`;

const section = ([group, rows]: [string, PromiseRow[]]): string =>
  `\n## ${titles[group] ?? group}\n\n${rows.map(line).join('\n')}\n`;

export const openDetails = (rows: readonly PromiseRow[]): string => {
  const groups = Object.entries(Object.groupBy(rows.filter(isOurs), groupOf)) as [string, PromiseRow[]][];
  return header + groups.map(section).join('');
};

const current = (): string => (existsSync(page) ? readFileSync(page, 'utf8') : '');

const write = (): void => writeFileSync(page, openDetails(promises));

const check = (): void => {
  if (current() === openDetails(promises)) return;
  process.stderr.write('docs/open-details.md is not current: run `npm run generate:open-details`.\n');
  process.exitCode = 1;
};

if (import.meta.main) process.argv.includes('--check') ? check() : write();
