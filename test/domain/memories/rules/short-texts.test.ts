// Tests of the rules on texts of a few lines: chats without a form of their own, mails, quick typing.
import { describe, expect, it, test } from 'vitest';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { request, turn } from '../../../adapters/language-model/requests.ts';

const reader = createRulesReader();

const ofNote = async (...lines: string[]): Promise<string[]> => {
  const fresh = [turn(null, lines.join('\n'), { role: null })];
  const { memories } = await reader.read(request({ fresh, conversation: false }));
  return memories.map(({ memory }) => memory);
};

describe('a chat of a few lines', () => {
  test.each([
    [
      'each line is said by whom it names',
      ['Wiebke: I have the spare key of the boathouse', 'Tariq (coach): ok, my brother is a vet'],
      ['Wiebke has the spare key of the boathouse', "Tariq's brother is a vet"],
    ],
    [
      'a title before the name belongs to the speaker',
      ['Sister Ngozi: the scales are in room 4 now', 'Nurse Halvorsen: thanks, I moved to nights'],
      ['The scales are in room 4 now', 'Nurse Halvorsen moved to nights'],
    ],
    [
      'a name that is a word as well speaks where the others have names',
      ['Rose: I am allergic to wasps', 'Anselm: my brother Kofi is a vet', 'Mark: ha ok'],
      ['Rose is allergic to wasps', "Anselm's brother Kofi is a vet"],
    ],
  ])('%s', async (_, lines, memories) => {
    expect(await ofNote(...lines)).toEqual(memories);
  });

  it('is none where the labels are things', async () => {
    const [first = ''] = await ofNote('Heating: gas', 'Landlord: Mr Krol, call me first');
    expect(first).toBe('The heating is gas');
  });

  it('is none where nobody talks', async () => {
    expect(
      await ofNote('Wiebke: finishing the roof of the boathouse', 'Tariq: ordering 40 litres of paint'),
    ).toEqual(['Wiebke is finishing the roof of the boathouse', 'Tariq is ordering 40 litres of paint']);
  });
});
