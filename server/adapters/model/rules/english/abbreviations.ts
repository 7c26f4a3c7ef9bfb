// A full stop behind these ends no sentence.
import { wordSet } from './words.ts';

export const ABBREVIATIONS = wordSet(
  'mr mrs ms dr prof st jr sr vs etc e.g i.e cf fig no vol pp inc ltd co corp dept est approx a.m p.m u.s u.k jan feb mar apr jun jul aug sep sept oct nov dec',
);
