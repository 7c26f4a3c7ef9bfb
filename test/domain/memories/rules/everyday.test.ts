// Tests of conversations as people type them: without capitals and apostrophes, with orders to an assistant beside facts.
import { describe, expect, test } from 'vitest';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { request, turn, turns } from '../../../adapters/language-model/requests.ts';

const reader = createRulesReader();

type Said = readonly (readonly [string | null, string])[];

const readFrom = async (said: Said) => {
  const { memories } = await reader.read(request({ fresh: turns(...said) }));
  return memories;
};
const drawn = async (...sentences: readonly string[]): Promise<string[]> =>
  (await readFrom(sentences.map((sentence) => [null, sentence] as const))).map(({ memory }) => memory);
const inNote = async (...lines: readonly string[]): Promise<string[]> => {
  const note = turn(null, lines.join('\n'), { role: null });
  const { memories } = await reader.read(request({ conversation: false, fresh: [note] }));
  return memories.map(({ memory }) => memory);
};

describe('quick typing says as much as careful writing', () => {
  test.each([
    [
      ['hiya im ruth, 52, work in derry with my husband eamon', 'eamon is diabetic'],
      [
        "The user's name is Ruth",
        'The user is 52 years old',
        'The user works in derry with their husband Eamon',
        'Eamon is diabetic',
      ],
    ],
    [
      ['my cousin aoife moved to cork, shes a vet'],
      ["The user's cousin Aoife moved to cork", "The user's cousin Aoife is a vet"],
    ],
    [['my aunt visits until friday'], ["The user's aunt visits until Friday 12 May 2023"]],
    [['grandma lives in Sligo'], ["The user's grandma lives in Sligo"]],
    [
      ['We own a parrot called Kiwi.', "he's 30"],
      ['The user and others own a parrot called Kiwi', "The user's parrot Kiwi is 30"],
    ],
    [['any lunch ideas, my flatmate is vegan'], ["The user's flatmate is vegan"]],
    [['diabetic and vegan, any lunch ideas?'], ['The user is diabetic and vegan']],
    [['any lunch ideas, im coeliac'], ['The user is coeliac']],
    [['Could you suggest a hotel in Bonn, my son uses a wheelchair?'], ["The user's son uses a wheelchair"]],
    [["I'm the treasurer so I keep the keys"], ['The user is the treasurer so they keep the keys']],
    [
      ['I do the dishes', 'I do nights'],
      ['The user does the dishes', 'The user does nights'],
    ],
    [['I do my best'], []],
    [['dinner is at seven, ok?'], ['Dinner is at seven']],
    [['we rehearse at the smith’s in Oak Lane'], ["The user and others rehearse at the smith's in Oak Lane"]],
    [
      ["hi, I'm Ruth, I live with my brother Sam, he's 44 and works nights"],
      [
        "The user's name is Ruth",
        'The user lives with their brother Sam',
        "The user's brother Sam is 44",
        "The user's brother Sam works nights",
      ],
    ],
    [['last thing: I play the oboe'], ['The user plays the oboe']],
  ])('%j', async (said, memories) => {
    expect(await drawn(...said)).toEqual(memories);
  });

  test('what lasts until a day that is typed in small letters ends on it', async () => {
    const [memory] = await readFrom([[null, 'my aunt stays with us until friday']]);
    expect(new Date(memory?.forgetAfter ?? 0).toISOString().slice(0, 10)).toBe('2023-05-13');
  });
});

describe('orders about how to work are kept, and later ones change them', () => {
  test.each([
    ['use yarn, not npm', 'use yarn, not npm'],
    ['please use vitest instead of jest', 'use vitest instead of jest'],
    ["don't use default exports", "don't use default exports"],
    ['Keep your explanations brief.', 'keep your explanations brief'],
    ['write comments in Spanish from now on', 'write comments in Spanish from now on'],
    ['use pytest for tests', 'use pytest for tests'],
  ])('%s', async (said, order) => {
    expect(await drawn(said)).toEqual([`The user's standing instruction: ${order}`]);
  });

  test.each(["don't use the old logo", 'use the left door, not the right one', 'add tests over the weekend'])(
    'but not an order about one thing: %s',
    async (said) => {
      expect(await drawn(said)).toEqual([]);
    },
  );

  test('a fact and the order that follows from it are two', async () => {
    expect(await drawn("I'm vegan so never suggest cheese")).toEqual([
      'The user is vegan',
      "The user's standing instruction: never suggest cheese",
    ]);
  });

  test.each([
    ['always reply in Dutch', 'from now on reply in English'],
    ['use yarn, not npm', 'use deno instead of yarn'],
    ['never use tabs', 'use tabs from now on'],
  ])('%s – %s', async (before, after) => {
    const memories = await readFrom([
      [null, before],
      [null, after],
    ]);
    expect(memories.map(({ relations }) => relations)).toEqual([[], [{ kind: 'updates', to: { drawn: 0 } }]]);
  });

  test('an order about something else leaves it', async () => {
    const memories = await readFrom([
      [null, 'use yarn, not npm'],
      [null, 'use spaces, not tabs'],
    ]);
    expect(memories.flatMap(({ relations }) => relations)).toEqual([]);
  });
});

describe('what is corrected', () => {
  test.each([
    [['The concert is in Ghent.', "And it's in Namur, not Ghent."], ['The concert is in Namur']],
    [
      ["I don't eat shellfish.", 'Call me Nell, not Eleanor.'],
      ["The user doesn't eat shellfish", 'The user goes by Nell'],
    ],
    [
      ['We reserved a cabin for 5 on 4 May.', 'Make that 7 people.'],
      ['The user and others reserved a cabin for 7 on 4 May'],
    ],
  ])('%j', async (said, memories) => {
    expect(await drawn(...said)).toEqual(memories);
  });
});

describe('what a word in front means', () => {
  test.each([
    ['Lunch moved to Thursday.', 'lunch/day'],
    ['Rolf moved to Namur.', 'rolf/home'],
  ])('%s', async (said, slot) => {
    expect((await readFrom([[null, said]])).map((memory) => memory.slot)).toEqual([slot]);
  });

  test.each([
    [['# Board meeting, 3 March', 'Petra leads the audit.'], ['Petra leads the audit']],
    [
      [
        'Dear Ms Voss,',
        'We have moved to 9 Canal Street.',
        'Kind regards',
        'Jan Pauwels',
        'Logistics, Delmar NV',
      ],
      ['Jan Pauwels and others have moved to 9 Canal Street'],
    ],
  ])('%j', async (lines, memories) => {
    expect(await inNote(...lines)).toEqual(memories);
  });
});

test('a question names nobody by its first word', async () => {
  const memories = await inNote(
    'Dear Hilde,',
    'The lift is broken.',
    'Could you tell the caretaker? Her office is in room 4.',
  );
  expect(memories.filter((memory) => memory.includes('Could'))).toEqual([]);
});

describe('days', () => {
  test.each([
    ['We fly in July, out on the 4th and back on the 18th.', /4th of July.*18th of July/],
    ['I get paid on the 28th.', /paid on the 28th$/],
    ['The pool is closed on Friday.', /Friday 12 May 2023/],
    ['The fair is on Saturday 27.', /Saturday 27 May 2023$/],
  ])('%s', async (said, written) => {
    expect((await drawn(said)).join('; ')).toMatch(written);
  });
});

test('a list of tools is as many memories as there are purposes', async () => {
  expect(await drawn('We use Figma for design and Loom for demos.')).toEqual([
    'The user and others use Figma for design',
    'The user and others use Loom for demos',
  ]);
});

test('what a program printed is no memory', async () => {
  expect(await drawn('TypeError: fetch failed with code 500 in Loader')).toEqual([]);
});

test('the title of minutes states nothing', async () => {
  const lines = ['Present: Ms Okonjo, Mr Adair.', 'The book sale takes place in the gym.'];
  const drawn = await inNote('Parish council, 9 April', ...lines);
  expect(await inNote('Group meeting 13 March', ...lines)).toEqual(drawn);
  expect(drawn.join()).not.toContain('council');
  expect(drawn).toContain('The book sale takes place in the gym');
});

describe('what is asked beside a statement does not hide it', () => {
  test.each([
    ['my daughter Ines is 14 months, normal weight?', ["The user's daughter Ines is 14 months"]],
    ['the rent is 1,050 cold, a lot for Kassel?', ['The rent is 1,050 cold']],
    ['is it ok to fly, I broke a rib in March', ['The user broke a rib in March 2023']],
    ['how can I clean the oven, the pan of lard spilled', ['The pan of lard spilled']],
    ['Random question, I keep bees in Kent', ['The user keeps bees in Kent']],
    ['I take melatonin, 3 mg, does more help?', ['The user takes melatonin, 3 mg']],
    [
      'my Saturdays are gone with the new job, can one of you shop?',
      ["The user's Saturdays are gone with the new job"],
    ],
    ['we meet on Friday, at six?', []],
    ['my train leaves at nine, right?', []],
    ['I could take the bus, bad idea?', []],
    ['what should I buy, the red one or the blue one', []],
  ])('%s', async (said, memories) => {
    expect(await drawn(said)).toEqual(memories);
  });
});

describe('a quotation is said by another', () => {
  test.each([
    [
      'my aunt always says "I\'m too old for cats" and then gets another one',
      'The user\'s aunt always says "I am too old for cats" and then gets another one',
    ],
    [
      'The notice says “we close at noon, we open at two”',
      'The notice says “we close at noon, we open at two”',
    ],
  ])('%s', async (said, memory) => {
    expect(await drawn(said)).toEqual([memory]);
  });
});

test('what waits until a day does not end on it, and what lasts until then does', async () => {
  const ends = async (said: string): Promise<boolean> =>
    (await readFrom([[null, said]])).some(({ forgetAfter }) => forgetAfter !== null);
  expect(await ends('the shop is closed until 3 June')).toBe(true);
  expect(await ends('The meeting has to wait until 12 May')).toBe(false);
  expect(await ends('the exam was moved until 3 June')).toBe(false);
});

test('a sentence behind a label is no value of it', async () => {
  expect(
    await inNote('Bed 4: Mr Diallo went home yesterday.', 'Bed 5: Mrs Unger, 71, hip.', 'Bed 6: empty.'),
  ).toEqual(['Bed 4: Mr Diallo went home on 7 May 2023', 'Bed 5 is Mrs Unger, 71, hip', 'Bed 6 is empty']);
});

describe('short lines of a note are memories', () => {
  test.each([
    [
      ['shoes 42', 'trousers 34/32', 'ring 58'],
      ['Shoes 42', 'Trousers 34/32', 'Ring 58'],
    ],
    [
      ['Build: Rspack, 11 s.', 'Deploy target is Fly.io, region ams'],
      ['Build: Rspack, 11 s', 'Deploy target is Fly.io, region ams'],
    ],
    [
      ['Love: lentils, rhubarb.', 'Bread: rye, sliced.'],
      ['The user loves lentils', 'The user loves rhubarb', 'The bread is rye, sliced'],
    ],
    [['Cleaning of the stairs: Sra. Quispe, Mondays.'], ['Cleaning of the stairs: Sra. Quispe, Mondays']],
    [['Soak 200 g of barley.', 'Fry an onion until soft.', 'Translate: two words'], []],
  ])('%j', async (lines, memories) => {
    expect(await inNote(...lines)).toEqual(memories);
  });
});

test('a day that was not said of anything alone is kept with the sentence before it', async () => {
  expect(await drawn('The hall double booked us. So it will be 30 August 2023.')).toEqual([
    'The hall double booked the user and others. It will be 30 August 2023',
  ]);
});

test('a name behind "to" is whom it goes to, and not whom the speaker calls', async () => {
  const said = [
    ['Harry', "The captain's armband goes to Matteo"],
    ['Matteo', 'nice'],
  ] as const;
  expect((await readFrom(said)).map(({ memory }) => memory)).toEqual([
    "The captain's armband goes to Matteo",
  ]);
});
