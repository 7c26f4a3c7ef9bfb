// Tests of telling texts in other languages from English ones.
import { expect, it } from 'vitest';
import { isInOtherLanguage } from '../../../../server/lib/text/language/other-language.ts';

it.each([
  'Wie heißt der neue Chef von Karin?',
  'Où est la clé de la voiture',
  '¿Cuándo es la cita con el dentista?',
  'Waar staat de auto',
  'Где ключ от гаража?',
  '冷蔵庫の保証期間は何年ですか？',
])('"%s" is in another language', (text) => {
  expect(isInOtherLanguage(text)).toBe(true);
});

it.each([
  'What did Jürgen say about the café in São Paulo?',
  'Ana dentist',
  'food to avoid',
  'Where does Anna work?',
  'What does 猫 mean?',
  '',
  '404',
])('"%s" is English, or nothing tells', (text) => {
  expect(isInOtherLanguage(text)).toBe(false);
});
