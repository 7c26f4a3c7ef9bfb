// Tests of the size limits of tool definitions and answers.
import { expect, test } from 'vitest';
import { maxResultCharacters } from '../../tools/shared/short-text.agent.ts';
import { verifies } from '../spec/verifies.ts';
import { useServer } from '../support/use-server.ts';

/** Of all five definitions, as a host hands them to a model. */
const MOST_TOKENS = 1_500;

const memoir = useServer();

/** The whole answer as it travels; no client that could leave something out. */
const ask = async <T>(method: string, params: object): Promise<{ result: T; characters: number }> => {
  const response = await fetch(`${memoir.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${memoir.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const body = await response.text();
  const data = body.startsWith('{') ? body : (/^data: (\{.*)$/m.exec(body)?.[1] ?? '');
  const { result } = JSON.parse(data) as { result: T };
  return { result, characters: JSON.stringify(result).length };
};

/**
 * No tokenizer of a model is at hand, so this counts too many rather than too few: a token for each word of up to
 * six letters, another for each further six, one for each digit and one for every two marks that stand together.
 */
const tokensIn = (text: string): number =>
  (text.match(/[A-Za-z]+|\d|[^\sA-Za-z\d]+/g) ?? []).reduce(
    (sum, piece) => sum + Math.ceil(piece.length / (/^[A-Za-z]/.test(piece) ? 6 : 2)),
    0,
  );

interface Found {
  structuredContent: { results: { memory?: string; passage?: string }[]; more?: boolean };
}

verifies('mcp:tools:budget', 'all five definitions together stay within their token limit', async () => {
  const { result, characters } = await ask<{ tools: object[] }>('tools/list', {});
  expect(result.tools).toHaveLength(5);
  expect(characters).toBeLessThan(6_000);
  const definitions = result.tools.map((tool) => {
    const { name, description, inputSchema } = tool as Record<string, unknown>;
    return JSON.stringify({ name, description, inputSchema });
  });
  expect(tokensIn(definitions.join('\n'))).toBeLessThan(MOST_TOKENS);
  // Models take a token for about four characters of JSON; with three and a half, hints and answers fit as well.
  expect(JSON.stringify(result.tools).length / 3.5).toBeLessThan(MOST_TOKENS);
});

/** Every sentence is different, so that none is a duplicate; quotes cost an escape each. */
const long = (at: number): string =>
  Array.from(
    { length: 40 },
    (_, line) => `"Comet ${at * 100 + line}" passed the observatory with "brightness ${at + line}".`,
  ).join('\n');

verifies(
  'mcp:search:budget',
  'a search with too many results reports it, and stays within its character limit',
  async () => {
    for (let at = 0; at < 20; at++) await memoir.add({ content: long(at), containerTag: 'sky' });
    const args = { query: 'comets that passed the observatory', limit: 50, containerTag: 'sky' };
    const { result, characters } = await ask<Found>('tools/call', { name: 'search', arguments: args });
    expect(characters).toBeLessThan(maxResultCharacters);
    expect(result.structuredContent.more).toBe(true);
    expect(result.structuredContent.results.length).toBeGreaterThan(1);
  },
);

test('a long forgetting and a long profile stay within the same character limit', async () => {
  const memories = Array.from({ length: 90 }, (_, at) => ({
    content: `Ada has seen the comet number ${at} from the observatory on the hill behind the old mill.`,
    isStatic: at % 2 === 0,
  }));
  await memoir.ask('POST', '/v4/memories', { containerTag: 'much', memories });
  const of = (name: string, args: object) =>
    ask<{ structuredContent: Record<string, unknown> }>('tools/call', {
      name,
      arguments: { containerTag: 'much', ...args },
    });
  const profile = await of('profile', {});
  const forgetting = await of('forget', { query: 'comets', dryRun: true });
  expect(profile.characters).toBeLessThan(maxResultCharacters);
  expect(forgetting.characters).toBeLessThan(maxResultCharacters);
  expect(forgetting.result.structuredContent.more).toBeGreaterThan(0);
});
