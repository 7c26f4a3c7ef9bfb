// A process that runs the plugin for OpenCode as it is published. Its host is played here: it loads the plugin, calls
// its hooks and its tool, and answers for the model. The process ends with one line of JSON.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../../support/until.ts';

interface Part {
  type: string;
  text: string;
}

interface Plugin {
  'chat.message'(
    input: { sessionID: string },
    output: { message: { id: string }; parts: Part[] },
  ): Promise<void>;
  event(input: { event: { type: string; properties: object } }): Promise<void>;
  tool: { supermemory: { execute(args: object, context: object): Promise<string> } };
}

interface Answer {
  success: boolean;
  id?: string;
  results?: { id: string; content: string }[];
  memories?: { id: string; content: string | null }[];
  profile?: { static: string[]; dynamic: string[] };
}

const { HOME = '', PLUGIN = '', PROJECT = '', SUPERMEMORY_API_URL: memoir = '' } = process.env;
const SESSION = 'session-1';
const SUMMARY = `The session was about the deployment. ${'The service is deployed with Terraform to Frankfurt. '.repeat(3)}`;

/** The requests that leave this machine are refused and named, as the look for a newer version of the plugin. */
const refused: string[] = [];
const send = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const { origin, hostname } = new URL(input instanceof Request ? input.url : input);
  if (origin === memoir) return send(input, init);
  refused.push(hostname);
  throw new TypeError(`${hostname} is not on this machine.`);
};

const read = async (id: string): Promise<Record<string, unknown>> => {
  const headers = { authorization: `Bearer ${process.env.SUPERMEMORY_API_KEY}` };
  return (await (await send(`${memoir}/v3/documents/${id}`, { headers })).json()) as Record<string, unknown>;
};

const remembered = async (id: string): Promise<void> => {
  await until(`the memories of ${id}`, async () => (await read(id)).dreamingStatus === 'done');
};

const client = {
  provider: { list: async () => ({ data: { all: [] } }) },
  tui: { showToast: async () => undefined },
  session: {
    summarize: async () => undefined,
    promptAsync: async () => undefined,
    messages: async () => ({
      data: [{ info: { role: 'assistant', summary: true }, parts: [{ type: 'text', text: SUMMARY }] }],
    }),
  },
};

const settings = join(HOME, '.config', 'opencode');
mkdirSync(settings, { recursive: true });
writeFileSync(join(settings, 'supermemory.json'), JSON.stringify({ autoRecallEveryPrompt: true }));

const { SupermemoryPlugin } = (await import(pathToFileURL(PLUGIN).href)) as {
  SupermemoryPlugin(context: object): Promise<Plugin>;
};
const plugin = await SupermemoryPlugin({ directory: PROJECT, client });

const use = async (args: object): Promise<Answer> =>
  JSON.parse(await plugin.tool.supermemory.execute(args, {})) as Answer;

const add = async (scope: string, content: string): Promise<string> => {
  const { id = '' } = await use({ mode: 'add', scope, content });
  await remembered(id);
  return id;
};

const orm = await add('project', 'This repository uses Drizzle as its ORM.');
await add('user', 'The user prefers pnpm over npm.');
const search = await use({ mode: 'search', query: 'Which ORM does this repository use?', scope: 'project' });
const personal = await use({ mode: 'search', query: 'pnpm or npm', scope: 'user' });
const profile = await use({ mode: 'profile', query: 'package manager' });

const parts: Part[] = [{ type: 'text', text: 'Which package manager do I prefer, pnpm or npm?' }];
await plugin['chat.message']({ sessionID: SESSION }, { message: { id: 'message-1' }, parts });

const answered = { role: 'assistant', finish: 'stop', sessionID: SESSION, providerID: 'p', modelID: 'm' };
const tokens = { input: 190_000, output: 0, cache: { read: 0 } };
const updated = (info: object) =>
  plugin.event({ event: { type: 'message.updated', properties: { info: { ...answered, ...info } } } });
await updated({ tokens });
await updated({ summary: true });

const listed = await use({ mode: 'list', scope: 'project' });
const forgotten = await use({ mode: 'forget', memoryId: orm });
const left = await use({ mode: 'list', scope: 'project' });
const own = await use({ mode: 'list', scope: 'user' });
const kept = await Promise.all((own.memories ?? []).map(async ({ id }) => (await read(id)).content));

process.stdout.write(
  `${JSON.stringify({
    ...{ search, personal, profile, listed, forgotten, left, kept },
    ...{ context: parts[0]?.text, refused },
  })}\n`,
);
