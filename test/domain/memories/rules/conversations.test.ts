// Tests of what holds after several conversations: statements in parts, pronouns, denials, ends, and what goes on as before.
import { describe, expect, test } from 'vitest';
import type { KnownMemory } from '../../../../server/adapters/language-model/ports/memory-reader.ts';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { known, request, turns } from '../../../adapters/language-model/requests.ts';

const reader = createRulesReader();
const WEEK_MS = 7 * 86_400_000;

type Said = readonly (readonly [string | null, string])[];

/** The memories that hold after the conversations, a week between them. */
const held = async (...conversations: readonly Said[]): Promise<string[]> => {
  let stored: KnownMemory[] = [];
  for (const [at, said] of conversations.entries()) {
    const documentDate = request().documentDate ?? 0;
    const { memories } = await reader.read(
      request({ fresh: turns(...said), documentDate: documentDate + at * WEEK_MS, known: stored }),
    );
    const ids = memories.map((_, place) => `${at}-${place}`);
    const replaced = new Set(
      memories.flatMap(({ relations }) =>
        relations.flatMap(({ kind, to }) =>
          kind === 'updates' ? ['drawn' in to ? (ids[to.drawn] ?? '') : to.known] : [],
        ),
      ),
    );
    const drawn = memories.map(({ memory, slot, about, saidAt }, place) =>
      known(ids[place] ?? '', memory, { slot, about, saidAt }),
    );
    stored = [...stored, ...drawn].filter(({ id }) => !replaced.has(id));
  }
  return stored.map(({ memory }) => memory);
};

const own = (...sentences: string[]): Said => sentences.map((sentence) => [null, sentence]);

describe('a change of one part leaves the other part', () => {
  test.each([
    [
      "I'm vegetarian but the rest of the family eats meat.",
      'I started eating fish again.',
      "The rest of the user's family eats meat",
    ],
    ['Dinner is at 7 and the club meets on Tuesdays.', "Dinner's at 8 now.", 'The club meets on Tuesdays'],
    [
      'The backend is in Go and the frontend uses React.',
      'The frontend uses Svelte now.',
      'The backend is in Go',
    ],
    ['I take metformin and ramipril.', 'I stopped taking ramipril.', 'The user takes metformin'],
    [
      'My daughter Mila is allergic to dairy and peanuts.',
      'Mila outgrew the peanut allergy.',
      "The user's daughter Mila is allergic to dairy",
    ],
  ])('%s – %s', async (before, after, left) => {
    const memories = await held(own(before), own(after));
    expect(memories[0]).toBe(left);
    expect(memories).toHaveLength(2);
  });

  test.each([
    ['I have a van and the engine is broken.', 'The user has a van and the engine is broken'],
    ['The gym opens at 7 and the pool opens at 9 until June.', 'until June'],
    ['The club meets at nine and its bar opens at ten.', 'and its bar'],
  ])('a part that needs the other one stays with it: %s', async (sentence, whole) => {
    const memories = await held(own(sentence));
    expect(memories.every((memory) => memory.includes(whole))).toBe(true);
  });

  test.each([
    ['I have two cats, Miso and Ravi.', 'Ravi died on Sunday.'],
    ['I share a flat with Jools, Petra and Ike.', 'Ike moved out.'],
    ['I subscribe to Netflix and Spotify.', 'I cancelled Netflix.'],
  ])('of several names, one that is gone leaves the statement of all: %s – %s', async (several, gone) => {
    expect(await held(own(several), own(gone))).toHaveLength(2);
  });

  test('a later statement of all of them replaces it', async () => {
    expect(
      await held(own('I have two cats, Miso and Ravi.'), own('I have three cats now, Miso, Ravi and Kiki.')),
    ).toEqual(['The user has three cats now, Miso, Ravi and Kiki']);
  });
});

describe('a pronoun means the one person who was named', () => {
  test.each<[string, Said, string]>([
    [
      'with an answer of somebody else between',
      [
        ['Anna', 'My brother Tom is a plumber.'],
        ['Bob', 'Nice.'],
        ['Anna', "He's a carpenter actually."],
      ],
      "Anna's brother Tom is a carpenter actually",
    ],
    [
      'in the question before',
      [
        ['Bob', "How's Tom doing?"],
        ['Anna', 'He works at Siemens now.'],
      ],
      'Tom works at Siemens now',
    ],
    [
      'where the name follows "is called"',
      [['Moira', 'My neighbour is called Graham, he keeps pigeons.']],
      "Moira's neighbour Graham keeps pigeons",
    ],
    [
      'where the name follows the role',
      own('My boss is Ines. She lives in Porto.'),
      "The user's boss Ines lives in Porto",
    ],
    [
      'with a title',
      own('Mr. Lowe lives in Linz. He is allergic to penicillin.'),
      'Mr. Lowe is allergic to penicillin',
    ],
    [
      'beside the name of a place',
      own("Lena is a nurse at St. Mary's in Graz. She moved to Linz."),
      'Lena moved to Linz',
    ],
    [
      'who is the subject of the clause before',
      own("Jef is 8, Lotte is 5 and she's allergic to cashews."),
      'Lotte is allergic to cashews',
    ],
    [
      'whose name stands beside another pronoun',
      own("We got a kitten. He's called Miso. He is black and sleeps on my laptop."),
      "The user's kitten Miso is black",
    ],
    [
      'and the animal rather than its owner',
      own(
        "I'm looking after my neighbour's parrot until Sunday. He's called Admiral and he swears in Dutch.",
      ),
      "The user's neighbour's parrot Admiral swears in Dutch",
    ],
    [
      'whom the sentence before calls no thing',
      own('My dog Biscuit has a new trick, he opens the fridge.'),
      "The user's dog Biscuit opens the fridge",
    ],
    [
      'whom "their" stands for',
      own('I live with my sister in Oslo. She is a vet.'),
      "The user's sister is a vet",
    ],
    [
      'of the fitting kind',
      own('My daughter Nora started school. Her teacher is Mr. Quint.'),
      "The user's daughter Nora's teacher is Mr. Quint",
    ],
  ])('%s', async (_, said, memory) => {
    expect(await held(said)).toContain(memory);
  });

  test('and nobody where it could mean two', async () => {
    const memories = await held(own('My sister Eva met my friend Ines in Rome. She works for Lufthansa.'));
    expect(memories.some((memory) => /(?:Eva|Ines) works for/.test(memory))).toBe(false);
  });

  test.each([
    ['owner or owned', "My daughter's teacher is Ms Okafor. She is in class 3b.", 'Okafor is in class'],
    ['a stranger', 'My aunt helped us. A girl sat there alone. I gave her some tea.', 'aunt some tea'],
    ['a mother or her child', 'My sister had a baby. Her name is Lina.', "sister's name is Lina"],
    ['the several', 'I walk my dogs daily. I met a vet. I am asking her out on Friday.', 'dogs out'],
  ])('and nobody where it may mean somebody else: %s', async (_, said, wrong) => {
    expect((await held(own(said))).join('; ')).not.toContain(wrong);
  });

  test('and nobody of whom another pronoun told that it does not mean them', async () => {
    const said: Said = [
      ['Bea', 'Rukmini came over. She is a luthier.'],
      ['Bea', 'He is allergic to cats.'],
    ];
    expect((await held(said)).join()).not.toContain('Rukmini is allergic');
  });
});

describe('a denial corrects what an earlier conversation said', () => {
  const DENIED = "Mila's test came back, it isn't dairy after all, it's egg.";

  test('by the words that it names', async () => {
    expect(await held(own('My daughter Mila is allergic to dairy.'), own(DENIED))).toEqual([
      "The user's daughter Mila is allergic to egg",
    ]);
  });

  test('of the person whom it names', async () => {
    const before = own('My daughter Mila is allergic to dairy.', 'My son Ole is allergic to dairy.');
    expect(await held(before, own(DENIED))).toEqual([
      "The user's son Ole is allergic to dairy",
      "The user's daughter Mila is allergic to egg",
    ]);
  });

  test('and of nobody where two could be meant', async () => {
    const before = own('My daughter Mila is allergic to dairy.', 'My son Ole is allergic to dairy.');
    const memories = await held(before, own("It isn't dairy after all, it's egg."));
    expect(memories.filter((memory) => memory.endsWith('allergic to dairy'))).toHaveLength(2);
  });

  test('and changes nothing that does not say it', async () => {
    const said = own('My brother Tom is a plumber.', "It's not Monday, it's Tuesday.");
    expect(await held(said)).toContain("The user's brother Tom is a plumber");
  });
});

describe('an end replaces what it ends', () => {
  test.each([
    ['I go to the gym on Tuesdays.', 'Cancelled my gym.', 'The user cancelled their gym'],
    ["I sing alto in the St Paul's choir every Wednesday.", 'Quit the choir.', 'The user quit the choir'],
    ["I'm allergic to peanuts.", 'My peanut allergy is gone.', "The user's peanut allergy is gone"],
    ['My daughter is allergic to peanuts.', 'The peanut allergy is gone.', 'The peanut allergy is gone'],
    ['My son Ben sings in the choir.', 'Ben quit the choir.', 'Ben quit the choir'],
  ])('%s – %s', async (before, end, memory) => {
    expect(await held(own(before), own(end))).toEqual([memory]);
  });

  test('but an allergy ends under its own name alone', async () => {
    const memories = await held(own("I'm allergic to peanuts."), own('I finished the peanuts.'));
    expect(memories).toContain('The user is allergic to peanuts');
  });
});

describe('a death ends all that somebody did', () => {
  test.each([
    ['My grandmother Rosa lives in Hove. She plays bridge on Fridays.', 'Rosa died last night.'],
    ['My cat Pepper is 13. She eats only tuna.', 'We had to have Pepper put to sleep on Monday.'],
    ['Our dog Bolt rides in the cab with me.', 'Bolt is dead.'],
    ['My dad works at the bank.', 'My dad has passed away.'],
    ['My uncle Tom runs the bakery in York.', "Uncle Tom's funeral is on Friday."],
  ])('%s – %s', async (before, death) => {
    expect(await held(own(before), own(death))).toHaveLength(1);
  });

  test.each([
    ['My grandmother Rosa was a nurse.', 'Rosa died last night.'],
    ["My dad's birthday is 4 May.", 'My dad passed away in March.'],
    ['My sister Ann plays bridge on Fridays.', "Ann's hamster died."],
    ['My sister Ann plays bridge on Fridays.', 'Ann nearly died on the bike.'],
    ['My son Sam plays chess.', 'I had Sam put down the ladder.'],
    ["Rosa's brother plays chess.", 'Rosa died last night.'],
    ['My sister Ann plays bridge on Fridays.', 'Ann died laughing at my hat.'],
    ['My phone has a cracked screen.', 'My brother died in the game.'],
  ])('and nothing else: %s – %s', async (before, after) => {
    expect(await held(own(before), own(after))).toContain(
      before.replace(/^My/, "The user's").replace(/\.$/, ''),
    );
  });
});

describe('an event in a life ends a state that it does not name', () => {
  test.each([
    ['My wife is expecting.', 'Our daughter Mia was born on 12 June.'],
    ['Perrine is having a baby in June.', "Perrine's daughter Sidonie was born on 17 June."],
    ["I'm studying biology in Leiden.", 'I graduated from Leiden last week!'],
    ['I live alone in a studio.', 'Jana moved in with me on Sunday.'],
    ['I drive a 2012 Seat Ibiza.', 'Someone stole my car last night.'],
    ['I ride a red Cube to work.', 'My bike got nicked outside the station.'],
    ['My sister Ann drives a Golf.', "Ann's car was written off on the A12."],
    ["I'm allergic to eggs.", 'I can eat eggs again, the allergist says.'],
  ])('%s – %s', async (before, event) => {
    expect(await held(own(before), own(event))).toHaveLength(1);
  });

  test.each([
    ['My brother studies law.', 'I graduated from Leiden in 2019.'],
    ['My brother Sam drives a Golf.', 'Someone stole my car last night.'],
    ['I drive the 47 bus in Leeds.', 'I sold my car.'],
    ['My wife is expecting.', 'My dad was born in Leeds.'],
    ['My wife is expecting.', 'My brother Sam was born on 3 March 1991.'],
    ['My wife is expecting.', 'I was born on 3 March.'],
    ['My sister is expecting twins.', 'My wife gave birth to a girl today.'],
    ["I'm allergic to eggs.", 'I can eat nuts again.'],
    ['I live alone in a studio.', 'Jana moved in with Sam on Sunday.'],
  ])('and no other: %s – %s', async (before, event) => {
    const first = await held(own(before));
    expect(await held(own(before), own(event))).toEqual(expect.arrayContaining(first));
  });
});

test.each([
  ['The window cleaner is Bertie.', "Bertie hasn't retired."],
  ["Mr Tran's supervisor is Ms Dietz.", "Ms Dietz remains Mr Tran's supervisor."],
  ['My gloves are size 9.', 'My boots are size 44 as ever.'],
  ['My locker is number 12.', 'Our locker is still number 12, before anybody asks.'],
  ['The choir meets on Thursdays.', 'I very nearly left the choir.'],
  ['The fee is 1,200 a year.', 'Proposal to raise the fee to 1,500: three against, one in favour.'],
  ['The cleaning contract is with Sparkle.', "Sparkle's contract renewed, same price."],
  ['The vaccine fridge is set to 4 degrees.', 'Vaccine fridge unchanged at 4 degrees.'],
  ['The night van serves Kitale.', 'Suggested: a third van for Busia.'],
  ['The fee is 3.10 a metre.', 'Mr Prill proposed 3.40 a metre, which was voted down.'],
])('what goes on as before or did not come about replaces nothing: %s – %s', async (before, after) => {
  expect(await held(own(before), own(after))).toContain(
    before.replace(/^My/, "The user's").replace(/\.$/, ''),
  );
});
