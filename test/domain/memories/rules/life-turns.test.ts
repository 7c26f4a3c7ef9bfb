// Tests of turns in a life: they are remembered whatever stands around them, and end the state before them.
import { expect, test } from 'vitest';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { request, turns } from '../../../adapters/language-model/requests.ts';
import { play } from '../../../memories/book.ts';

const reader = createRulesReader();

const drawnFrom = async (said: string): Promise<string[]> => {
  const { memories } = await reader.read(request({ fresh: turns([null, said]) }));
  return memories.map(({ memory }) => memory);
};

const AROUND = 'Hi there, hope you are doing fine and thank you so much for all the kind words yesterday. ';
const BEHIND =
  ' I am so happy that I could sing all day long, and there is nothing better than good news, right?';

test.each([
  ['I landed the internship!', 'The user landed the internship'],
  ['My sister dropped out.', "The user's sister dropped out"],
  ['I failed my theory test.', 'The user failed their theory test'],
  ['My mum retired!', "The user's mum retired"],
  ['We split up.', 'The user and others split up'],
  ['My husband got laid off!', "The user's husband got laid off"],
  ['My son is engaged!', "The user's son is engaged"],
  ['I sprained my wrist.', 'The user sprained their wrist'],
  ['I gave up sugar!', 'The user gave up sugar'],
  ["We're having twins!", 'The user and others are having twins'],
  ["They've put me on nights.", 'The user was put on nights'],
  ["It's water only for me from now on.", 'The user has switched to water only'],
  ['Day 9 without a drink!', 'The user is on day 9 without a drink'],
  ['Two months sober!', 'The user has been two months sober'],
])('a turn in a life is remembered, alone and among small talk: %s', async (said, memory) => {
  expect(await drawnFrom(said)).toEqual([memory]);
  expect(await drawnFrom(AROUND + said + BEHIND)).toContain(memory);
});

test.each([
  'Congrats, you graduated!',
  'Did I get the job?',
  'If I got the job, I would move.',
  'I hope they promote me.',
  'I got the joke!',
  'No dessert for me!',
  'Just water for me now, thanks.',
  'Only two for me now, thanks.',
  'We are together in this!',
])('a question, a wish, a joke or a congratulation is none: %s', async (said) => {
  expect(await drawnFrom(said)).toEqual([]);
});

/** The memories that hold after the two messages. */
const heldAfter = async (before: string, after: string): Promise<string[]> => {
  const steps = [before, after].map((said, at) => ({
    add: `${at}`,
    date: `2026-0${at + 1}-10`,
    turns: [['user', said]] as [string, string][],
  }));
  const { rows } = await play({ id: 'turn', category: 'chat', facts: [], steps }, reader);
  return rows.filter(({ isLatest }) => isLatest).map(({ memory }) => memory);
};

test.each([
  ["I'm looking for a new job.", 'I got hired by the post office!'],
  ['I have been unemployed since May.', 'I found a job at the harbour.'],
  ['My brother works nights.', 'My brother switched to days.'],
  ['I do day shifts at the mill.', 'They put me on nights.'],
  ['I smoke a pack a day.', 'One month smoke-free!'],
  ['I vape at parties.', 'I have been two weeks without a cigarette.'],
  ['I drink two pints after work.', 'I am sober now.'],
  ['I have three cappuccinos a day.', 'Only decaf for me from now on.'],
  ['I am single.', 'Jo and I are together now.'],
  ["I'm studying law in Ghent.", 'I switched my major to history.'],
  ['I am a porter on the burns unit.', 'I was transferred to the eye ward.'],
  ['I have the Standard plan.', 'I upgraded to Premium.'],
])('a turn ends the state before it: %s – %s', async (before, after) => {
  expect(await heldAfter(before, after)).toHaveLength(1);
});

test.each([
  ['I am unemployed.', 'My brother found a job at the harbour.'],
  ['I work nights.', 'My brother was put on days.'],
  ['I work nights.', 'I spent two days in Ghent.'],
  ['I smoke a pack a day.', 'My sister is three weeks smoke-free.'],
  ['I am single.', 'The team is together again.'],
  ['I have the Standard plan.', 'We upgraded to Node 24.'],
  ['I have a Netflix subscription.', 'I upgraded to Premium.'],
  ['I am on a meal plan.', 'I switched to Pro.'],
  ['I have a coffee shop in Bergen.', 'I switched to decaf only.'],
  ['I do quiz nights at the Crown.', 'They put me on days.'],
  ["I'm studying law in Ghent.", 'My sister switched her major to history.'],
  ['I drink four coffees a day.', 'I switched to a new phone.'],
])('and leaves that of others: %s – %s', async (before, after) => {
  const first = await heldAfter(before, before);
  expect(await heldAfter(before, after)).toEqual(expect.arrayContaining(first));
});

test.each([
  ['Our shop runs on Magento.', "Everything's on Vendure now."],
  ['The tracker is hosted on Azure.', 'We moved everything over to Scaleway.'],
  ['We are closed on Sundays.', 'We started opening on Sundays too.'],
  ['We open on Saturdays.', 'We are closed on Saturdays now.'],
  ['My cousin Piet lives in Ghent.', 'Piet lives in Bruges, not Ghent.'],
  ['I go swimming on Sundays.', 'No swimming for me until May.'],
])(
  'what everything runs on, a day of opening and what is denied beside a value replace the earlier one: %s – %s',
  async (before, after) => {
    expect(await heldAfter(before, after)).toHaveLength(1);
  },
);

test.each([
  ['The standup is on Mondays.', "Everything's on Vendure now."],
  ['Our shop runs on Magento.', 'The blog runs on Ghost now.'],
  ['We are closed on Sundays.', 'We started opening on Saturdays.'],
])('and no other: %s – %s', async (before, after) => {
  expect(await heldAfter(before, after)).toHaveLength(2);
});

test.each([
  ['We bought a boat! In Trieste.', ['The user and others bought a boat in Trieste']],
  ['July 9. Signed up for the choir.', ['The user signed up for the choir']],
  ['I am divorced and working as a baker.', ['The user is divorced', 'The user is working as a baker']],
  ['My favourite opera is Tosca these days, sorry Carmen.', [expect.stringContaining('is Tosca')]],
])('a place alone, a day alone, two facts and an excuse: %s', async (said, memories) => {
  expect(await drawnFrom(said)).toEqual(memories);
});

test.each([
  ['I have been on crutches since May.', "I'm off the crutches."],
  ['My dog Bolt is on a diet.', 'Bolt is off the diet.'],
  ['I am the captain of our quiz team.', 'I stepped down as captain.'],
  ['I take the tram to work.', 'I walk in now.'],
  ['My commute is by ferry.', 'My commute is by bike now.'],
])('who is off something or stepped down, and another way to work: %s – %s', async (before, after) => {
  expect(await heldAfter(before, after)).toHaveLength(1);
});

test.each([
  ['I am on crutches until May.', 'I am off to Ghent on Monday.'],
  ['I take the tram to work.', 'I cycle in the park every Sunday.'],
  ['I am the captain of our quiz team.', 'My sister stepped down as treasurer.'],
])('and what only sounds so: %s – %s', async (before, after) => {
  const first = await heldAfter(before, before);
  expect(await heldAfter(before, after)).toEqual(expect.arrayContaining(first));
});
