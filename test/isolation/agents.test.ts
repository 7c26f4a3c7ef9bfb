// Tests that agents with keys of one tag reach nothing of another tag.
import { expect } from 'vitest';
import { mapBounded } from '../../server/lib/async/bounded.ts';
import { verifies } from '../spec/verifies.ts';
import { useServer } from '../support/use-server.ts';
import { secretsIn } from './attempts.ts';
import { mint, openParty, type Party, type PartyDocument, type PartyMemory, stateOf } from './parties.ts';
import { type Chance, createChance, testSeed } from './secrets.ts';

const ROUNDS = 6;
const AT_ONCE = 8;
const LIMIT_MS = 120_000;

const seed = testSeed();
const memoir = useServer();

interface Target {
  theirs: Party;
  document: PartyDocument;
  memory: PartyMemory;
  tag: string;
  own: string;
}

/** The words of an attacker to the tool server; its names may occur in the answer, the secrets may not. */
interface Attack {
  method: string;
  params: object;
  names: Record<string, unknown>;
}

const call = (name: string, args: Record<string, unknown>): Attack => ({
  method: 'tools/call',
  params: { name, arguments: args },
  names: args,
});

const read = (path: string, names: Record<string, unknown>): Attack => ({
  method: 'resources/read',
  params: { uri: `memory://${path}` },
  names,
});

const uri = encodeURIComponent;

const attacksOn = ({ document, memory, tag, own, theirs }: Target): Attack[] => [
  call('search', { query: document.word || 'vault' }),
  call('search', { query: `What is ${memory.content}`, limit: 50 }),
  call('search', { query: 'vault', containerTag: tag }),
  call('search', { query: document.word || 'vault', containerTag: own }),
  call('profile', {}),
  call('profile', { containerTag: tag }),
  call('add', { content: 'Mine now.', containerTag: tag }),
  call('add', { content: 'Mine now.', customId: document.customId, containerTag: tag }),
  call('add', { content: 'Mine now.', facts: [{ content: 'It is mine now.', replaces: memory.id }] }),
  call('add', { content: 'Mine now.', facts: [{ content: 'The code of the vault is another one now.' }] }),
  call('forget', { id: memory.id }),
  call('forget', { id: memory.id, containerTag: tag }),
  call('forget', { id: memory.id, dryRun: true }),
  call('forget', { text: memory.content }),
  call('forget', { query: memory.content }),
  call('forget', { query: 'The code of the vault', containerTag: tag, dryRun: true }),
  call('delete', { id: document.id }),
  call('delete', { id: document.customId }),
  read('profile', {}),
  read(`profile/${uri(tag)}`, { containerTag: [tag, uri(tag)] }),
  read(`documents/${uri(document.id)}`, { id: document.id }),
  read(`documents/${uri(document.customId)}`, { id: document.customId }),
  { method: 'resources/list', params: {}, names: {} },
  { method: 'tools/list', params: {}, names: {} },
  {
    method: 'prompts/get',
    params: { name: 'context', arguments: { containerTag: tag } },
    names: { containerTag: tag },
  },
  {
    method: 'completion/complete',
    params: {
      ref: { type: 'ref/resource', uri: 'memory://profile/{containerTag}' },
      argument: { name: 'containerTag', value: theirs.tags[0].slice(0, 6) },
    },
    names: { containerTag: theirs.tags[0].slice(0, 6) },
  },
];

const say = async (key: string, { method, params }: Attack): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${memoir.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return { status: answer.status, text: JSON.stringify([...answer.headers]) + (await answer.text()) };
};

/** Keys of one side: to read and to write, for one tag and for both. */
const keysOf = async (self: Party): Promise<{ key: string; own: string }[]> =>
  Promise.all(
    [self.tags.slice(0, 1), [...self.tags]].flatMap((held) =>
      (['read', 'write'] as const).map(async (permission) => {
        const { key } = await mint(memoir, { containerTags: held, permission });
        return { key, own: held[0] ?? '' };
      }),
    ),
  );

const attemptsOf = (
  keys: readonly { key: string; own: string }[],
  victims: readonly Party[],
  chance: Chance,
) =>
  Array.from({ length: ROUNDS }).flatMap(() =>
    keys.flatMap(({ key, own }) => {
      const theirs = chance.pick(victims);
      const target = { theirs, own, tag: chance.pick(theirs.tags) };
      const document = chance.pick(theirs.documents);
      const memory = chance.pick(theirs.memories);
      return attacksOn({ ...target, document, memory }).map((attack) => ({ key, attack }));
    }),
  );

verifies(
  'isolation:agents:outside-tags',
  `agents with keys of one tag reach nothing of another by any tool, resource or prompt (seed ${seed})`,
  async () => {
    const chance = createChance(seed);
    const self = await openParty(memoir, chance);
    const victims = await Promise.all([openParty(memoir, chance), openParty(memoir, chance)]);
    await memoir.idle();
    const state = () => Promise.all(victims.map((victim) => stateOf(memoir, victim)));
    const before = await state();
    const secrets = victims.flatMap((victim) => victim.secrets);

    const attempts = attemptsOf(await keysOf(self), victims, chance);
    expect(attempts.length).toBeGreaterThan(500);
    const wrong = await mapBounded(attempts, AT_ONCE, async ({ key, attack }) => {
      const heard = await say(key, attack);
      const shown = secretsIn(heard, attack.names, secrets);
      const fails = heard.status >= 500 || /internal error occurred/.test(heard.text);
      return shown.length > 0 || fails
        ? [`${JSON.stringify(attack)}: ${shown.join(', ')}\n    ${heard.text}`]
        : [];
    });
    expect(wrong.flat().slice(0, 10), `seed ${seed}`).toEqual([]);
    await memoir.idle();
    expect(await state(), `seed ${seed}`).toEqual(before);
  },
  { timeoutMs: LIMIT_MS },
);

verifies(
  'isolation:agents:outside-tags',
  `the owner's own agent sees the documents that other agents cannot see (seed ${seed})`,
  async () => {
    const chance = createChance(seed + 1);
    const self = await openParty(memoir, chance);
    const [document] = self.documents;
    const [memory] = self.memories;
    if (document === undefined || memory === undefined) throw new Error('The party has nothing.');
    const shown = async (attack: Attack) => (await say(self.key, attack)).text;
    const containerTag = self.tags[0];
    expect(await shown(call('search', { query: document.word, containerTag }))).toContain(document.id);
    expect(await shown(call('forget', { text: memory.content, dryRun: true, containerTag }))).toContain(
      memory.id,
    );
    expect(await shown(read(`documents/${document.customId}`, {}))).toContain(document.word);
    expect(await shown(call('delete', { id: document.customId }))).toContain('"deleted":1');
  },
  { timeoutMs: LIMIT_MS },
);
