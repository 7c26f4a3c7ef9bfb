// Tells the names of files that their owners chose from those that a camera, a scanner or a program gave.

import { isUnspaced } from '../language/scripts.ts';
import { wordsOfText } from '../terms/analyse.ts';

const GIVEN_BY_PROGRAMS = new Set(
  `archive attachment audio blob camera capture copia copie copy data doc document dokument download draft dsc dscn
  export file final fullsizerender image img kopie memo new note notes output page photo picture pxl readme record
  recording sans scan scanned screenshot signal snapshot temp text tmp txt unbenannt unknown unnamed untitled vid video
  voice whatsapp at am pm and of the`.split(/\s+/),
);
const SHORTEST_WORD = 3;

const says = (word: string): boolean =>
  /^\p{L}/u.test(word) && (isUnspaced(word) || word.length >= SHORTEST_WORD) && !GIVEN_BY_PROGRAMS.has(word);

/** "budget 2026" tells something, "IMG_2041", "scan 3" and "document (2)" do not. */
export const isTellingName = (name: string): boolean =>
  wordsOfText(name.replace(/[_\d-]+/gu, ' ')).some(({ text }) => says(text));
