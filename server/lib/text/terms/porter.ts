// Porter's English stemmer (1980, with his later "bli" and "logi" rules), for words of a–z.

const isVowel = (word: string, at: number): boolean => {
  switch (word.charCodeAt(at)) {
    case 97: // a
    case 101: // e
    case 105: // i
    case 111: // o
    case 117: // u
      return true;
    case 121: // y is a vowel after a consonant
      return at > 0 && !isVowel(word, at - 1);
    default:
      return false;
  }
};

/** The number of vowel-consonant sequences in the first `length` letters: Porter's m. */
const measure = (word: string, length: number): number => {
  let count = 0;
  let afterVowel = false;
  for (let at = 0; at < length; at++) {
    const vowel = isVowel(word, at);
    if (afterVowel && !vowel) count++;
    afterVowel = vowel;
  }
  return count;
};

const hasVowel = (word: string, length: number): boolean => {
  for (let at = 0; at < length; at++) if (isVowel(word, at)) return true;
  return false;
};

const endsInDoubleConsonant = (word: string): boolean => {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && !isVowel(word, last);
};

/** Consonant, vowel, consonant other than w, x, y: such a short stem gets its "e" back ("hop" → "hope"). */
const endsShort = (word: string, length: number): boolean => {
  if (length < 3) return false;
  const last = length - 1;
  return (
    !isVowel(word, last) &&
    isVowel(word, last - 1) &&
    !isVowel(word, last - 2) &&
    !'wxy'.includes(word.charAt(last))
  );
};

type Rule = readonly [ending: string, replacement: string];

/** Longest endings first: only the longest that fits is considered, even if its condition then fails. */
const longestFirst = (rules: readonly Rule[]): Rule[] => rules.toSorted((a, b) => b[0].length - a[0].length);

const NOUN_ENDINGS = longestFirst([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['logi', 'log'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
]);

const ADJECTIVE_ENDINGS = longestFirst([
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]);

const LAST_ENDINGS = longestFirst(
  'al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize'
    .split(' ')
    .map((ending): Rule => [ending, '']),
);

const stripPlural = (word: string): string => {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
};

const pastAndGerund = (word: string): string => {
  if (word.endsWith('eed')) return measure(word, word.length - 3) > 0 ? word.slice(0, -1) : word;
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  if (cut === 0 || !hasVowel(word, word.length - cut)) return word;
  return repaired(word.slice(0, -cut));
};

/** "conflat" → "conflate", "hopp" → "hop", "fil" → "file". */
const repaired = (stem: string): string => {
  if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`;
  if (endsInDoubleConsonant(stem))
    return 'lsz'.includes(stem.charAt(stem.length - 1)) ? stem : stem.slice(0, -1);
  return measure(stem, stem.length) === 1 && endsShort(stem, stem.length) ? `${stem}e` : stem;
};

const finalY = (word: string): string =>
  word.endsWith('y') && hasVowel(word, word.length - 1) ? `${word.slice(0, -1)}i` : word;

const replaceEnding = (word: string, rules: readonly Rule[], atLeast: number): string => {
  for (const [ending, replacement] of rules) {
    if (!word.endsWith(ending)) continue;
    const length = word.length - ending.length;
    if (measure(word, length) < atLeast) return word;
    if (ending === 'ion' && !'st'.includes(word.charAt(length - 1))) return word;
    return word.slice(0, length) + replacement;
  }
  return word;
};

const finalE = (word: string): string => {
  if (!word.endsWith('e')) return word;
  const length = word.length - 1;
  const count = measure(word, length);
  return count > 1 || (count === 1 && !endsShort(word, length)) ? word.slice(0, -1) : word;
};

const finalDoubleL = (word: string): string =>
  word.endsWith('ll') && measure(word, word.length - 1) > 1 ? word.slice(0, -1) : word;

/** The stem of a lower-case word of a–z; anything shorter than three letters is its own stem. */
export const porter = (word: string): string => {
  if (word.length < 3) return word;
  let stem = finalY(pastAndGerund(stripPlural(word)));
  stem = replaceEnding(stem, NOUN_ENDINGS, 1);
  stem = replaceEnding(stem, ADJECTIVE_ENDINGS, 1);
  stem = replaceEnding(stem, LAST_ENDINGS, 2);
  return finalDoubleL(finalE(stem));
};
