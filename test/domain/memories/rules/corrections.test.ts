// Tests of corrections inside one conversation: the corrected statement takes the place of the wrong one.
import { expect, test } from 'vitest';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { known, request, turn, turns } from '../../../adapters/language-model/requests.ts';

const reader = createRulesReader();

/** What holds after a conversation that began on Monday 8 May 2023. */
const remembered = async (...said: readonly (readonly [string | null, string])[]): Promise<string[]> => {
  const { memories } = await reader.read(request({ fresh: turns(...said) }));
  const replaced = new Set(
    memories.flatMap(({ relations }) =>
      relations.flatMap(({ kind, to }) => (kind === 'updates' && 'drawn' in to ? [to.drawn] : [])),
    ),
  );
  return memories.flatMap(({ memory }, at) => (replaced.has(at) ? [] : [memory]));
};

test.each([
  [
    'My interview is at 2.',
    'actually half past two, just checked',
    "The user's interview is at half past two",
  ],
  ['The exam is on 12 July.', 'sorry, the 13th', 'The exam is on 13 July'],
  ['The vet comes on the 4th of May.', 'no wait, the 5th of May', 'The vet comes on 5th of May'],
  ['My checkup is on Friday.', 'no, Thursday', "The user's checkup is on Thursday 11 May 2023"],
  ['My checkup is on Friday.', 'I meant tomorrow.', "The user's checkup is on 9 May 2023"],
  ['I have three cats.', 'Make that four.', 'The user has four cats'],
  ['I have three cats.', 'Oops, my mistake. Four.', 'The user has four cats'],
  ['My rent is 850 euros.', 'Typo, 950.', "The user's rent is 950 euros"],
  ['My sister lives in Graz.', 'I mean Linz', "The user's sister lives in Linz"],
  ['My sister lives in Graz.', 'Scratch that, she lives in Linz.', "The user's sister lives in Linz"],
  ['My flight leaves at 7.', 'no, it leaves at 8', "The user's flight leaves at 8"],
  ['My doctor is Dr. Klein.', 'not Klein but Kern', "The user's doctor is Dr. Kern"],
  ['The wedding is on Saturday.', '*Sunday', 'The wedding is on Sunday 14 May 2023'],
  [
    'I ordered the grey sofa from Ikea.',
    'I meant the green one.',
    'The user ordered the green sofa from Ikea',
  ],
  ['The meeting is in the library.', 'Sorry, the gym.', 'The meeting is in the gym'],
  ['My colleague is called Catrin.', 'spelt with a K', "The user's colleague is called Katrin"],
  ['My colleague is called Catrin.', "It's Katrin, with a K.", "The user's colleague is called Katrin"],
  ['My cousin is called Mat.', 'with two Ts', "The user's cousin is called Matt"],
])('%s – %s corrects the value of the same kind', async (wrong, correction, corrected) => {
  expect(await remembered([null, wrong], [null, correction])).toEqual([corrected]);
});

test('a correction of a correction is what holds', async () => {
  expect(
    await remembered(
      ['Ida', 'The delivery goes to Malmö.'],
      ['Ida', 'I mean Lund'],
      ['Ida', 'no sorry, Ystad. Definitely Ystad'],
    ),
  ).toEqual(['The delivery goes to Ystad']);
});

test('a repair in the same sentence is what holds', async () => {
  expect(await remembered([null, 'I have three cats, no wait, four.'])).toEqual(['The user has four cats']);
});

test.each(['Scratch that.', 'Never mind what I said', 'Forget that', 'I got that wrong.'])(
  '"%s" takes the statement before back',
  async (taken) => {
    expect(await remembered([null, 'My sister lives in Graz.'], [null, taken])).toEqual([]);
  },
);

test('somebody else corrects what was said just before, and it stays a statement about its speaker', async () => {
  expect(
    await remembered(
      ['Basil', 'Our first flat was in Cedar Road.'],
      ['Wilma', 'It was in Birch Road, love.'],
    ),
  ).toEqual(["Basil's first flat was in Birch Road"]);
});

test.each([
  [
    ['Ana', 'I live in Porto.'],
    ['Rui', 'Actually, I live in Faro.'],
    ['Ana lives in Porto', 'Rui lives in Faro'],
  ],
  [['Ana', 'I have a dog.'], ['Ana', 'Sorry, I have to go now.'], ['Ana has a dog']],
  [
    ['Ana', 'I am vegan.'],
    ['Rui', 'I am not vegan.'],
    ['Ana is vegan', 'Rui is not vegan'],
  ],
] as const)('%s – %s corrects nothing', async (first, second, both) => {
  expect(await remembered(first, second)).toEqual(both);
});

test('the answer to a question corrects nothing', async () => {
  expect(
    await remembered(['Ana', 'My office is in Bern.'], ['Rui', 'Do you live there?'], ['Ana', 'No, Basel.']),
  ).toEqual(["Ana's office is in Bern"]);
});

test('a statement that was stored before is replaced by its correction', async () => {
  const { memories } = await reader.read(
    request({
      around: [turn('Ida', 'The parcel goes to Malmö.')],
      fresh: [turn('Ida', 'Sorry, to Lund.', { position: 1 })],
      known: [known('wrong', 'The parcel goes to Malmö')],
    }),
  );
  expect(memories).toMatchObject([
    { memory: 'The parcel goes to Lund', relations: [{ kind: 'updates', to: { known: 'wrong' } }] },
  ]);
});
