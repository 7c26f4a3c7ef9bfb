// Tests of the attributes that statements hold without the word of the question.
import { expect, test } from 'vitest';
import { inWordsOfAttributes, statesAttribute } from '../../../server/lib/text/attributes.ts';
import { rootsOf } from '../../../server/lib/text/terms/derivations.ts';

const states = (asked: string, text: string): boolean =>
  rootsOf(asked).some((root) => statesAttribute(root, text));

test.each([
  ['address', 'Anna moved to Munich.'],
  ['live', 'Anna is based in Oslo.'],
  ['job', 'Anna is a nurse.'],
  ['occupation', 'Anna paints for a living.'],
  ['profession', 'Anna earns her living with pots.'],
  ['work', 'Anna makes her money with old clocks.'],
  ['pets', 'Anna has a beagle called Rex.'],
  ['old', 'Anna turned 35 in May.'],
  ['spouse', 'Anna is married to Tom.'],
  ['diet', 'Anna is vegan.'],
  ['vive', 'La usuaria se mudó a Zamora.'],
  ['wohnt', 'Otto zog nach Graz.'],
  ['vit', "L'utilisateur habite à Lyon."],
  ['abita', 'Marco si è trasferito a Torino.'],
  ['mora', 'A usuária mudou-se para o Porto.'],
  ['Beruf', 'Otto ist Zahnarzt.'],
  ['trabaja', 'La usuaria es profesora de música.'],
  ['住在', '用户搬到福州了'],
])('%j is stated by %j', (asked, text) => expect(states(asked, text)).toBe(true));

test.each([
  ['address', 'Anna moved the meeting.'],
  ['live', 'The email address of Anna is anna@example.org.'],
  ['live', 'Anna changed the IP address of the printer.'],
  ['job', 'Anna works out on Mondays.'],
  ['job', 'Anna is a vegetarian.'],
  ['job', 'Anna lives in Munich.'],
  ['job', 'Anna saves money.'],
  ['pets', 'Anna has a bicycle.'],
  ['vive', 'La usuaria es profesora de música.'],
  ['wohnt', 'Otto arbeitet bei Siemens.'],
  ['住在', '用户是一名厨师'],
  ['like', 'Anna does not like beer.'],
])('%j is not stated by %j', (asked, text) => expect(states(asked, text)).toBe(false));

test.each([
  ['What does Ada do for a living?', 'What does Ada do work?'],
  ["How does Ada earn Ada's living?", 'How does Ada work?'],
  ['How does she make her own money?', 'How does she work?'],
  ['Who earns money here?', 'Who work here?'],
  ["What is Ada's line of work?", "What is Ada's work?"],
  ['Does Ada make a good living?', 'Does Ada work?'],
])('%j asks for work', (question, plain) => expect(inWordsOfAttributes(question)).toBe(plain));

test.each([
  'Where is Ada living?',
  'What is in the living room?',
  'How much money does Ada have?',
  'Who made the money box?',
  'Is the flat fit for living?',
  'How does Ada make her bread?',
  'What did Ada buy for her living room?',
  'Did Ada make a living will?',
  'How do I pay my bills?',
])('%j stays as it is', (question) => expect(inWordsOfAttributes(question)).toBe(question));
