// Tests of what is kept as it was said: a chance of worth counts for more or less by the place of the sentence.
import { expect, it } from 'vitest';
import { isWorthAsSaid } from '../../../../server/domain/memories/rules/english/gate/as-said.ts';
import { isGenerality } from '../../../../server/domain/memories/rules/english/gate/remarks.ts';
import { ownWords } from '../../../../server/domain/memories/rules/english/gate/worth.ts';
import { clauseOf } from '../../../../server/domain/memories/rules/english/grammar/clause.ts';

const SAID = 'light theme too these days';
const MESSAGE = `btw switched from Neovim to Zed. ${SAID}.`;

const isKept = (
  chance: number,
  { said = SAID, message = MESSAGE, isConversation = true, isTalk = false } = {},
): boolean => isWorthAsSaid(chance, { said, message, isConversation, isTalk });

it('a sentence beside others of a message needs less than one that is a message of its own', () => {
  expect(isKept(0.7)).toBe(true);
  expect(isKept(0.6)).toBe(false);
  expect(isKept(0.8, { message: `${SAID}!` })).toBe(false);
  expect(isKept(0.9, { message: `${SAID}!` })).toBe(true);
});

it('a note needs a little more than a message, and its only sentence no more than others', () => {
  expect(isKept(0.7, { isConversation: false })).toBe(false);
  expect(isKept(0.77, { isConversation: false })).toBe(true);
  expect(isKept(0.77, { isConversation: false, message: SAID })).toBe(true);
});

it('a number and many words count for it, an exclamation against it', () => {
  expect(isKept(0.5, { said: 'yoghurt 3.8 %' })).toBe(true);
  const wish = 'please give me recipes in grams, never cups';
  expect(isKept(0.5, { said: wish, message: `${wish}. I'm cooking for two, me and my son.` })).toBe(true);
  expect(isKept(0.7, { said: 'light theme!' })).toBe(false);
});

it('a date or a time alone is not kept', () => {
  expect(isKept(0.99, { said: '13/1' })).toBe(false);
});

const isGeneral = (memory: string): boolean => {
  const clause = clauseOf(memory);
  return clause !== null && isGenerality({ clause, memory, own: ownWords(['Nora']) });
};

it.each([
  'Memories and motivators definitely help Nora and others stay on track',
  'Small gestures can make a difference',
  'Good habits keep Nora and others going',
  'Laughter and patience get people through',
])('a vague act of many is a generality, whatever the model of worth says of it: "%s"', (memory) => {
  expect(isGeneral(memory)).toBe(true);
});

it.each([
  'Tests run with jest',
  'Releases happen every second month',
  'Rooms should have a balcony',
  'New members get a locker and two towels',
  "Nora's neighbours keep bees",
])('what many do in one project, place or wish is no generality: "%s"', (memory) => {
  expect(isGeneral(memory)).toBe(false);
});
