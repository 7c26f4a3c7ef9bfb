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

describe('a mail', () => {
  test.each([
    [
      'is by whom its last line names behind the farewell',
      ['Hello Lotte,', 'my allotment has three plum trees. I live in Halle.', 'Thanks, Reinhild Moor'],
      'Reinhild Moor lives in Halle',
    ],
    [
      'may greet nobody by name',
      ['Good morning,', 'we deliver on Fridays. My van is blue.', 'Saludos, Ximena'],
      "Ximena's van is blue",
    ],
    [
      'asks for what its readers are to do, in short sentences too',
      ['Dear Mr Adeyemi,', 'the fitting is on 4 May. Please bring your old frames.', 'Optik Falk'],
      "Optik Falk asks Mr Adeyemi to bring Mr Adeyemi's old frames",
    ],
    [
      'asks for money, help or an end',
      ['Dear families,', 'the bus leaves at 7:40. Please give each child 15 pounds.', 'Yours, Delphine Roux'],
      'Delphine Roux asks everybody to give each child 15 pounds',
    ],
  ])('%s', async (_, lines, memory) => {
    expect(await ofNote(...lines)).toContain(memory);
  });

  it('wishes its readers well without asking for anything', async () => {
    const memories = await ofNote('Hi Jens,', 'my printer is a Brother.', 'Have a sunny week!', 'Best, Ulla');
    expect(memories).toEqual(["Ulla's printer is a Brother"]);
  });

  it('does not mean its writer by "he"', async () => {
    const memories = await ofNote(
      'Dear Hilde,',
      'I moved to Bergen with my uncle. He plays the tuba. I teach chemistry.',
      'Love, Sverre',
    );
    expect(memories).toEqual(expect.arrayContaining(['Sverre teaches chemistry']));
    expect(memories.join('. ')).not.toMatch(/Sverre plays/);
  });
});

const ofChat = async (...said: string[]): Promise<string[]> => {
  const fresh = said.map((text, position) => turn(null, text, { position }));
  const { memories } = await reader.read(request({ fresh }));
  return memories.map(({ memory }) => memory);
};

describe('in a chat', () => {
  it('a thing at the beginning of a sentence is nobody whom "he" means', async () => {
    const memories = await ofChat('rent is 640 a month', 'he wants the money on Fridays');
    expect(memories).toContain('Rent is 640 a month');
    expect(memories.join('. ')).not.toMatch(/Rent wants/);
  });

  it('the person behind "her" and an adverb owns nothing', async () => {
    expect(await ofChat('My daughter Wren is 9.', 'I raise her alone.')).toContain(
      "The user raises the user's daughter Wren alone",
    );
  });

  it('a place does not correct a name', async () => {
    expect(await ofChat('I am Anselm, I write a game. It is in Godot.')).toContain(
      "The user's name is Anselm",
    );
  });

  it('short forms without an apostrophe stand before numbers and owners too', async () => {
    expect(await ofChat('im 17 and im learning the oboe')).toContain('The user is 17');
  });
});
