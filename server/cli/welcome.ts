// What a server says when it is ready: at the first start everything one needs, later its address.
import type { Memoir } from '../service.ts';
import type { Host, Plan } from './host.ts';
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

/** A key that its owner gave is known, and a secret that need not stand in one more place. */
function keyLines(firstKey: string, { env }: Host, print: Print): { shown: string; lines: string[] } {
  const head = '  key           ';
  if (firstKey === env.MEMOIR_API_KEY) {
    return { shown: '$MEMOIR_API_KEY', lines: [`${head}the one in MEMOIR_API_KEY, with full access`] };
  }
  const said = print.dim('full access, shown this once: keep it');
  return { shown: firstKey, lines: [head + print.bold(firstKey), ' '.repeat(head.length) + said] };
}

/** Where nothing else is shown of a first start: without its key nobody could use the folder by HTTP. */
export function tellFirstKey({ firstKey }: Memoir, { dataDir }: Plan, { env }: Host, print: Print): void {
  if (firstKey === null || firstKey === env.MEMOIR_API_KEY) return;
  print.note(`A new data folder: ${dataDir}. Its key, shown this once: ${firstKey}`);
}

export function welcome(ready: Ready, host: Host, print: Print): string[] {
  const { url, orgId, firstKey, dataDir } = ready;
  const headline = print.bold(`Memoir ${host.version} is ready at ${url}`);
  if (firstKey === null) return [headline];
  const { shown, lines } = keyLines(firstKey, host, print);
  return [
    headline,
    '',
    `  organisation  ${orgId}`,
    ...lines,
    `  data          ${dataDir}`,
    '',
    'Try it:',
    `  ${curl(`${url}/v3/documents`, shown, { content: 'Ada prefers tea, and meetings before noon.' })}`,
    `  ${curl(`${url}/v4/search`, shown, { q: 'What does Ada like to drink?', searchMode: 'hybrid' })}`,
    `  ${searchHint(ready, host)}`,
  ];
}
