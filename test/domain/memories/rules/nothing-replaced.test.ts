// Statements that replace nothing: proposals, wishes and attempts in vain, and ends of another thing.
import { describe, expect, test } from 'vitest';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { known, request, turns } from '../../../adapters/language-model/requests.ts';

const reader = createRulesReader();

const replaced = async (before: string, after: string): Promise<boolean> => {
  const { memories } = await reader.read(
    request({ fresh: turns([null, after]), known: [known('before', before)] }),
  );
  return memories.flatMap(({ relations }) => relations).some(({ kind }) => kind !== 'extends');
};

describe('what was proposed, wished, asked for or tried in vain replaces nothing', () => {
  test.each([
    ['La cotisation est de 12 €', 'Monsieur Paul a proposé une cotisation de 15 €.'],
    ['La cotisation est de 12 €', 'La trésorière souhaiterait une cotisation de 15 €.'],
    ['Der Beitrag beträgt 12 €', 'Herr Brandt möchte einen Beitrag von 15 €.'],
    ['Der Beitrag beträgt 12 €', 'Herr Brandt schlägt einen Beitrag von 15 € vor.'],
    ['El usuario: la cuota es de 12 €', 'La presidenta propone una cuota de 15 €.'],
    ["L'utente: la quota è di 12 €", 'Il tesoriere vorrebbe una quota di 15 €.'],
    ['A quota é de 12 €', 'O Rui quer uma quota de 15 €.'],
    ['The charge is £10', 'Mr Hill would like a charge of £15.'],
    ['The charge is £10', 'Mr Hill wants a charge of £15.'],
    ['The group meets at five on Tuesdays', 'Petra asked whether the group could meet at six on Tuesdays.'],
    ["Tom's week at the cabin is 12 to 19 July", "Tom can't change his week at the cabin to August."],
    ["The user's appointment is on Friday", "I tried to move my appointment to Monday but couldn't."],
    [
      "The user's appointment is on Friday",
      'I tried to move my appointment to Monday, but they had no slot.',
    ],
  ])('%s | %s', async (before, after) => {
    expect(await replaced(before, after)).toBe(false);
  });
});

describe('what was accepted does', () => {
  test.each([
    ['La cotisation est de 12 €', 'La cotisation de 15 € proposée par Paul est adoptée.'],
    ['La cotisation est de 12 €', 'La cotisation passe à 15 €.'],
    ['Der Beitrag beträgt 12 €', 'Der vorgeschlagene Beitrag von 15 € wurde angenommen.'],
    ['The charge is £10', 'The charge is £15.'],
    ["The user's appointment is on Friday", 'I moved my appointment to Monday.'],
  ])('%s | %s', async (before, after) => {
    expect(await replaced(before, after)).toBe(true);
  });
});

describe('the end of another thing in the same words replaces nothing', () => {
  test.each([
    ['Fay runs the north shop', 'Fay closed the north cellar on Monday.'],
    ['Ravi manages the old depot', 'Ravi sold the old van on Tuesday.'],
  ])('%s | %s', async (before, after) => {
    expect(await replaced(before, after)).toBe(false);
  });

  test('that of the thing itself does', async () => {
    expect(await replaced('Fay runs the north shop', 'Fay closed the north shop on Monday.')).toBe(true);
  });
});
