// The lines that a ready server prints: key and examples at the first start, only the address later.
import type { Memoir } from '../../calls/memoir.ts';
import type { Host, ServerPlan } from '../host.ts';
import type { Print } from './print.ts';

export interface Ready {
  url: string;
  orgId: string;
  firstKey: string | null;
  dataDir: string;
}

/** Quotes a text for a shell if it needs quotes. */
const shellQuoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const curl = (url: string, key: string, body: object): string =>
  `curl ${url} -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`;

/** Commands find the server through the data folder, so a folder other than the default is named. */
const searchHint = ({ dataDir }: Ready, { invocation, plan }: Host): string => {
  const usual = plan({}).dataDir === dataDir;
  return `${invocation} search "What does Ada like to drink?"${usual ? '' : ` --data-dir ${shellQuoted(dataDir)}`}`;
};

/** A key from MEMOIR_API_KEY is known to its owner, so it is not printed again. */
const keyLines = (firstKey: string, { env }: Host, print: Print): { shown: string; lines: string[] } => {
  const head = '  key           ';
  if (firstKey === env.MEMOIR_API_KEY) {
    return { shown: '$MEMOIR_API_KEY', lines: [`${head}the one in MEMOIR_API_KEY, with full access`] };
  }
  const note = print.dim('full access; shown only now, so save it');
  return { shown: firstKey, lines: [head + print.bold(firstKey), ' '.repeat(head.length) + note] };
};

/** Prints the first key when a command other than `serve` creates the folder: HTTP calls need it. */
export const tellFirstKey = (
  { firstKey }: Memoir,
  { dataDir }: ServerPlan,
  { env }: Host,
  print: Print,
): void => {
  if (firstKey === null || firstKey === env.MEMOIR_API_KEY) return;
  print.note(`Created the data folder ${dataDir}. Its API key, shown only now: ${firstKey}`);
};

/** The findings of a short look at the servers of models on this machine. */
export type StartLook = Awaited<ReturnType<Memoir['service']['models']['look']>>;

const PURPOSES = {
  embedding: { without: 'searches use words only', back: 'models use builtin' },
  chat: { without: 'new content gets no memories', back: 'models use builtin --for chat' },
} as const;

/** Servers of models on this machine: those that could be used, and those that are used and do not answer. */
export const serverNotes = ({ found, silent }: StartLook, { invocation }: Host): string[] => [
  ...found.map(
    ({ title }) => `${title} answers on this machine: ${invocation} models list shows its models.`,
  ),
  ...silent.map(({ name, for: purpose, at }) => {
    const { without, back } = PURPOSES[purpose];
    const [what, next] =
      at === null
        ? ['MEMOIR_LOCAL_SERVERS does not name its server', 'Add the server there']
        : [`${at.title} does not answer at ${at.address}`, 'Start it'];
    return `Note: the model ${name} is chosen, and ${what}: ${without} until it does. ${next}, or go back: ${invocation} ${back}.`;
  }),
];

export const welcome = (ready: Ready, host: Host, print: Print): string[] => {
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
    `For meaning in other words: ${host.invocation} models add minilm`,
    '',
    'Try it:',
    `  ${curl(`${url}/v3/documents`, shown, { content: 'Ada prefers tea, and meetings before noon.' })}`,
    `  ${curl(`${url}/v4/search`, shown, { q: 'What does Ada like to drink?', searchMode: 'hybrid' })}`,
    `  ${searchHint(ready, host)}`,
  ];
};
