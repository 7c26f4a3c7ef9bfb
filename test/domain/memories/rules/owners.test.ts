// Tests of whom a sentence in another language is about: a relative's affairs are not the user's.
import { describe, expect, test } from 'vitest';
import { grammar } from '../../../../server/domain/memories/rules/grammar.ts';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { known, request, turns } from '../../../adapters/language-model/requests.ts';

const reader = createRulesReader();

const replaced = async (before: string, after: string): Promise<boolean> => {
  const { memories } = await reader.read(
    request({ fresh: turns([null, after]), known: [known('before', before)] }),
  );
  expect(memories).not.toEqual([]);
  return memories.flatMap(({ relations }) => relations).some(({ kind }) => kind === 'updates');
};

describe('what a relative or another person does replaces nothing of the user', () => {
  test.each([
    ['Der Nutzer ist nach Bremen gezogen', 'Mein Bruder ist nach Köln gezogen.'],
    [
      'Der Nutzer: wir haben uns ein Haus in Celle gekauft',
      'Meine Schwester hat sich ein Haus in Gera gekauft.',
    ],
    [
      'El usuario: me he mudado a Valencia con mi perro',
      'Mi hermana Pili se ha mudado a Sevilla con su perro.',
    ],
    [
      "L'utilisateur: mon appartement est à Lyon, 3e étage",
      'Ma sœur a pris un appartement à Nice, 2e étage.',
    ],
    ["L'utente: ho preso una casa a Lecce nel 2019", 'Mio fratello ha preso una casa a Bari nel 2021.'],
    [
      'O utilizador: comprei um apartamento no Porto por 200 mil',
      'O meu irmão comprou um apartamento em Braga por 150 mil.',
    ],
    ['El usuario: he dejado el coro de Lugo', 'La señora Gil ha dejado el coro de Vigo.'],
  ])('%s | %s', async (before, after) => {
    expect(await replaced(before, after)).toBe(false);
  });
});

describe('the owner has the same key in each language', () => {
  test.each([
    ['Der Nutzer: Mein Bruder ist nach Köln gezogen', 'user.brother/home'],
    ['Der Nutzer: Meine kleine Schwester wohnt in Gera', 'user.sister/home'],
    ['El usuario: Mi hermana Pili vive en Soria', 'pili/home'],
    ["L'utilisateur: Mon grand frère travaille chez Renault", 'user.brother/employer'],
    ["L'utente: La mia vicina vive a Bari", 'user.neighbour/home'],
    ['O utilizador: O meu avô mora em Faro', 'user.grandfath/home'],
    ['Lena: Mein Onkel wohnt in Kiel', 'lena.uncl/home'],
    ["The user's uncle lives in Kiel", 'user.uncl/home'],
  ])('%s', (memory, slot) => {
    const told = grammar.factOf(memory)?.slot ?? '';
    const { key } = /^(?<key>[^/]+)\//.exec(told)?.groups ?? {};
    // A sister with a name has that name as her key where nobody else has it.
    const [named] = grammar.aliasesOf(memory).filter(([from]) => from === key);
    expect(told.replace(key ?? '', named?.[1] ?? key ?? '')).toBe(slot);
  });
});

test('a later value of the same relative replaces the earlier one, also after the name was told', async () => {
  expect(
    await replaced('Der Nutzer: Mein Bruder ist nach Kiel gezogen', 'Mein Bruder ist nach Köln gezogen.'),
  ).toBe(true);
  expect(
    await replaced(
      'El usuario: Mi hermana vive en Soria',
      'Mi hermana se llama Pili. Mi hermana Pili vive en Ávila.',
    ),
  ).toBe(true);
});
