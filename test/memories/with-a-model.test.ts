import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MemoryReader } from '../../server/adapters/language-model/ports/memory-reader.ts';
import { createRulesReader } from '../../server/domain/memories/rules/reader.ts';
import {
  type Behaviour,
  type ChatServer,
  memories,
  replaying,
  says,
  startChatServer,
} from '../adapters/language-model/chat-server.ts';
import { CALL_LIMITS, failureOf, readerBefore } from '../adapters/language-model/openai-fixture.ts';
import { hang, refuse } from '../support/models/servers/behaving-server.ts';
import { type Book, play } from './book.ts';
import { recordingOf } from './recording.ts';
import { readScenarios, type Scenario } from './scenario.ts';

const { tuned, heldOut } = readScenarios();
// One sentence twice in one conversation is answered twice by a recording that goes by sentences.
const scenarios = [...tuned, ...heldOut].filter(({ id }) => id !== 'restated-within-one');
const rules = createRulesReader();

let server: ChatServer;
let always: Behaviour = memories();
beforeAll(async () => {
  server = await startChatServer((response, asked) => always(response, asked));
});
afterAll(() => server.close());

const contents = (book: Book): string[] =>
  book.rows
    .map(({ memory, isLatest, isForgotten, isStatic, sources }) =>
      [memory, isLatest, isForgotten, isStatic, ...[...sources].sort()].join(' | '),
    )
    .sort();

const linksIn = (book: Book): string[] =>
  book.links.map(({ from, kind, to }) => `${from.memory} ${kind} ${to.memory}`).sort();

async function replayed(scenario: Scenario, ...first: Behaviour[]): Promise<Book> {
  always = replaying(await recordingOf(scenario, rules));
  server.next(...first);
  return play(scenario, readerBefore(server, { callLimits: CALL_LIMITS }));
}

const BAD: readonly (readonly [string, Behaviour])[] = [
  ['broken JSON first', says({ content: '{"memories": [{"mem' })],
  ['nothing first', says({ content: '' })],
  ['a busy service first', refuse(429, 'Slow down', { 'retry-after': '0.01' })],
  ['a failing service first', refuse(500, 'oops')],
];

describe('with a model that answers as recorded', () => {
  it.each(scenarios.map((scenario, at) => ({ id: scenario.id, scenario, bad: BAD[at % BAD.length] })))(
    '$id ends as without one, $bad.0',
    async ({ scenario, bad }) => {
      const book = await replayed(scenario, ...(bad ? [bad[1]] : []));
      const expected = await play(scenario, rules);
      expect(contents(book)).toEqual(contents(expected));
      expect(linksIn(book)).toEqual(linksIn(expected));
    },
  );
});

describe('with a model that is of no use', () => {
  const scenario = tuned.find(({ id }) => id === 'moved');
  const once = { attempts: 1, firstWaitMs: 1, longestWaitMs: 1 };
  const withModel = (timeoutMs: number): MemoryReader =>
    readerBefore(server, { callLimits: { timeoutMs, retries: once } });

  it.each([
    ['never answers', hang, 'memory_unavailable'],
    ['fails for good', refuse(500, 'oops'), 'memory_unavailable'],
    ['asks for another key', refuse(401, 'no'), 'memory_auth'],
    ['speaks no JSON', says({ content: 'I would rather not.' }), 'memory_invalid'],
    ['refuses', says({ content: null, refusal: 'No.' }), 'memory_refused'],
  ] satisfies [string, Behaviour, string][])(
    'with a model that %s, the step fails with a reason',
    async (_, behaviour, code) => {
      if (!scenario) throw new Error('The scenario is gone.');
      always = behaviour;
      // An answer is waited for; the one that never comes is not.
      const error = await failureOf(play(scenario, withModel(behaviour === hang ? 100 : 30_000)));
      expect(error.code).toBe(code);
      expect(error.message).toMatch(/\. .+\.$/);
    },
  );
});
