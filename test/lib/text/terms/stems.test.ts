// Tests of stems in languages other than English.
import { expect, it } from 'vitest';
import { createStemsOfQuery, stemsOf } from '../../../../server/lib/text/terms/stems.ts';

const meets = (text: string, query: string, word: string): boolean => {
  const stems = new Set(stemsOf(text));
  return createStemsOfQuery(query)(word).some((stem) => stems.has(stem));
};

it.each([
  ['German', 'Wir haben die alten Häuser gesehen.', 'Welches Haus ist das?', 'haus'],
  ['French', 'Nous avons visité les grands châteaux de la région.', 'Quel château est grand ?', 'château'],
  [
    'Spanish',
    'Los niños coleccionan piedras en la playa.',
    '¿Quién coleccionaba una piedra?',
    'coleccionaba',
  ],
  ['Italian', "L'ospedale della città è chiuso.", 'Dove sono gli ospedali?', 'ospedali'],
  ['Portuguese', 'As crianças cantam no coro.', 'Onde cantava a criança?', 'cantava'],
  ['Dutch', 'De honden slapen in de schuur.', 'Waar slaapt de hond?', 'hond'],
  ['Russian', 'Дети собирают цветные камни.', 'Кто собирал камень?', 'собирал'],
])('other forms of a word meet in %s', (_language, text, query, word) => {
  expect(meets(text, query, word)).toBe(true);
});

it.each([
  ['French', "L'utilisateur habite à Lyon", "Où est-ce que j'habite ?", "j'habite"],
  ['French, where the text has one word of grammar', "L'école ouvre", "Quand ouvre l'école ?", "l'école"],
  ['Italian', "L'ospedale è chiuso", "Dov'è l'ospedale?", "l'ospedale"],
])('a word meets itself behind an elided article or pronoun in %s', (_language, text, query, word) => {
  expect(meets(text, query, word)).toBe(true);
});

it('a word behind an elided one is looked for without it too', () => {
  expect(createStemsOfQuery("Où est-ce que j'habite ?")("j'habite")).toContain('habit');
  expect(createStemsOfQuery("Why don't they answer?")("don't")).toEqual([]);
});

it('words of scripts without spaces have no stems', () => {
  expect(createStemsOfQuery('猫')('猫')).toEqual([]);
});

it('an English text has no stems beside its terms', () => {
  expect(stemsOf('We sold the house in Die, and there was no garden.')).toEqual([]);
  expect(stemsOf('Peanut allergy')).toEqual([]);
});

it('an English question has no forms in other languages', () => {
  expect(createStemsOfQuery('Where does she keep the keys of the house?')('house')).toEqual([]);
});

it('a word alone is looked for in every language', () => {
  expect(meets('Wir haben die alten Häuser gesehen.', 'Häusern', 'häusern')).toBe(true);
  expect(meets('Los niños coleccionan piedras en la playa.', 'piedra', 'piedra')).toBe(true);
});

it('carry their language, so that no word of another meets them', () => {
  expect(stemsOf('Die Tage sind für uns lang.')).toContain('de·tag');
  expect(createStemsOfQuery('¿Qué es un tag?')('tag')).not.toContain('de·tag');
});
