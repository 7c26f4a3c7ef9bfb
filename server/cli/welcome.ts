// What a server says when it is ready: at the first start everything one needs, later its address.
import type { Host } from './host.ts';
import type { Print } from './print.ts';

export interface Ready {
  url: string;
  orgId: string;
  firstKey: string | null;
  dataDir: string;
}

/** Quoted for a shell only where it has to be. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const curl = (url: string, key: string, body: object): string =>
  `curl ${url} -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`;

/** The command finds the server through the folder, so another folder has to be named. */
function searchHint({ dataDir }: Ready, { invocation, plan }: Host): string {
  const usual = plan({}).dataDir === dataDir;
  return `${invocation} search "What does Ada like to drink?"${usual ? '' : ` --data-dir ${quoted(dataDir)}`}`;
}

export function welcome(ready: Ready, host: Host, print: Print): string[] {
  const { url, orgId, firstKey, dataDir } = ready;
  const headline = print.bold(`Memoir ${host.version} is ready at ${url}`);
  if (firstKey === null) return [headline];
  return [
    headline,
    '',
    `  organisation  ${orgId}`,
    `  key           ${print.bold(firstKey)}`,
    `                ${print.dim('full access, shown this once: keep it')}`,
    `  data          ${dataDir}`,
    '',
    'Try it:',
    `  ${curl(`${url}/v3/documents`, firstKey, { content: 'Ada prefers tea, and meetings before noon.' })}`,
    `  ${curl(`${url}/v4/search`, firstKey, { q: 'What does Ada like to drink?', searchMode: 'hybrid' })}`,
    `  ${searchHint(ready, host)}`,
  ];
}
