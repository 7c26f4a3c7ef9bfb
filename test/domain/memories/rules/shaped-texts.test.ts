// Tests of the rules on texts whose shape says a part of what they state.
import { describe, expect, it } from 'vitest';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { request, turn } from '../../../adapters/language-model/requests.ts';
import { parseConversation } from '../../ingestion/fixtures/parse-conversation.ts';
import type { ShapedText } from './shaped-text.ts';
import { shapedTexts } from './shaped-texts.ts';
import { unseenShapedTexts } from './shaped-texts-unseen.ts';

/** The shares of facts that are in a memory today; they may rise, and are then written here. */
const LEAST = { tuned: 0.87, unseen: 0.9 };

const reader = createRulesReader();

const read = async (text: string): Promise<string[]> => {
  const said = parseConversation(text);
  const fresh = (said ?? [{ role: null, text }]).map((one, position) =>
    turn('speaker' in one ? (one.speaker ?? null) : null, one.text, { role: one.role, position }),
  );
  const { memories } = await reader.read(request({ fresh, conversation: said !== null }));
  return memories.map(({ memory }) => memory);
};

const holds = (memory: string, words: readonly string[]): boolean =>
  words.every((choice) =>
    choice.split('|').some((word) => memory.toLowerCase().includes(word.toLowerCase())),
  );

const judge = async (texts: readonly ShapedText[]) => {
  const lost: string[] = [];
  const wrong: string[] = [];
  for (const { text, states, never = [] } of texts) {
    const memories = await read(text);
    const answer = `${JSON.stringify(text.slice(0, 60))} → ${memories.join(' | ') || '(nothing)'}`;
    for (const words of states)
      if (!memories.some((memory) => holds(memory, words))) lost.push(`${words.join(' + ')}: ${answer}`);
    for (const word of never)
      if (memories.some((memory) => holds(memory, [word]))) wrong.push(`${word}: ${answer}`);
  }
  const facts = texts.reduce((sum, { states }) => sum + states.length, 0);
  return { share: 1 - lost.length / facts, lost, wrong };
};

describe.each([
  ['the texts at hand', shapedTexts, LEAST.tuned],
  ['unseen texts', unseenShapedTexts, LEAST.unseen],
])('the shape of %s', (_, texts, least) => {
  it('yields no fewer facts than before, and none from phrases that state nothing', async () => {
    const { share, lost, wrong } = await judge(texts);
    expect(wrong).toEqual([]);
    expect(share, `${share.toFixed(3)}; lost:\n${lost.join('\n')}`).toBeGreaterThanOrEqual(least);
  });
});

it('has at least twenty texts of either half', () => {
  expect(shapedTexts.length).toBeGreaterThanOrEqual(20);
  expect(unseenShapedTexts.length).toBeGreaterThanOrEqual(20);
});
