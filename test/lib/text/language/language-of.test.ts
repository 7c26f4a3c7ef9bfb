import { expect, test } from 'vitest';
import { languageOf } from '../../../../server/lib/text/language/language-of.ts';

test.each([
  'Sven lives in Malmö.',
  'Sven owns a pawn shop in Malmö.',
  'Björn drives a Volvo',
  'Jürgen bikes to work in Köln',
  'Marta drinks mate',
  'Karim speaks Arabic',
  'no sorry, Ystad',
  'I live in São Paulo',
  '# Tidewatch\nMaintainer: Kwabena Asante.\nCache: Redis 7. Timeout: 30 seconds.',
  'Maintainer: Kwabena Asante.',
  'shoes 42\ntrousers 34/32\nring 58\nhat 57',
  'checkout_v3: 100%. champagne',
])('a short English text is English, however foreign its names are: "%s"', (text) => {
  expect(languageOf(text)).toBe('en');
});

test.each([
  ['Otto wohnt in Graz', 'de'],
  ['Jan woont in Delft', 'nl'],
  ['schoenen 42\nbroek 34', 'nl'],
  ['Ik woon in Utrecht', 'nl'],
  ['Anna bor i Malmö', 'sv'],
  ['Giulia abita a Roma', 'it'],
  ['Ana mora no Porto', 'pt'],
  ['Mi gato se llama Leo', 'es'],
  ['Mieszkam w Krakowie', 'pl'],
  ['Name: Otto Huber\nWohnort: Graz\nBeruf: Zahnarzt', 'de'],
  ['Nombre: Ana\nCiudad: Lima', 'es'],
])('a short text in another language is not English: "%s"', (text, language) => {
  expect(languageOf(text)).toBe(language);
});

test('a text without letters counts as English', () => {
  expect(languageOf('12:30 +49 151')).toBe('en');
});

test.each([
  'Hestsot which ratgri gum sustten bilgrol. For by jom said kostsair stel gaimdrus at sustten tre and zoustas.',
  'the xkcdqwv of pqowie and zmxncb for lkasjdf with the wqoeiru on the mznxbvq',
])('a text of unknown words is in no language that can be told, function words or not: "%s"', (text) => {
  expect(languageOf(text)).toBe('und');
});

test.each([
  'fixed teh pipline and redeployed onto kubernetes wiht helm, the grafana dashbord is still brokn',
  'we use pnpm, vitest, kysely and biome; the repo lints with eslint and formats with prettier',
])('slips of the keyboard and names of products leave a text English: "%s"', (text) => {
  expect(languageOf(text)).toBe('en');
});
