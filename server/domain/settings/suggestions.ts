// Suggests profile buckets and categories from a filter prompt, by a simple rule: each thing that the prompt says to keep becomes
// one.
import type { ProfileBucket } from '../../adapters/store/ports/tags.ts';
import { STOP_WORDS } from '../../lib/text/language/stop-words.ts';

const FEWEST = 3;
const MOST = 6;
const LONGEST_KEY_WORDS = 3;
const MOST_CATEGORIES = 5;
const LONGEST_CATEGORY = 50;

/** From here to the end of the sentence the prompt names unwanted things. */
const UNWANTED =
  /\b(?:ignore|ignoring|exclude|excluding|skip|drop|omit|avoid|discard|except|without|never|not|don't)\b.*$/i;

/** Words for actions, which name no thing. */
const INSTRUCTIONS = new Set(
  `keep index remember store extract focus track capture prioritise prioritize include including want need care
   memory memories fact facts information info anything everything content document documents text thing things
   relevant important related only also please like etc user users people's`.split(/\s+/),
);

/** Buckets that fit every profile. */
const GENERAL: readonly ProfileBucket[] = [
  { key: 'background', description: 'Who the person is: name, home, work and family.' },
  { key: 'goals', description: 'What the person is working towards, and by when.' },
  { key: 'decisions', description: 'What was decided, and why.' },
];

const clausesIn = (prompt: string): string[] => prompt.split(/[.;!?\n。！？]+/);
const splitList = (sentence: string): string[] =>
  sentence.split(/,|、|:|\/|\b(?:and|or|as well as|about|plus)\b/i);

const contentWords = (phrase: string): string[] =>
  phrase
    .toLowerCase()
    .split(/[^\p{L}\p{N}'’-]+/u)
    .map((word) => word.replaceAll('’', "'"))
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word) && !INSTRUCTIONS.has(word));

/** Keys are ASCII; a name in another script gets a number. */
const bucketKey = (words: readonly string[], at: number): string => {
  const ascii = words
    .slice(0, LONGEST_KEY_WORDS)
    .map((word) => word.normalize('NFKD').replace(/[^a-z0-9]/g, ''))
    .filter((word) => word !== '');
  return ascii.join('-').slice(0, 64) || `topic-${at + 1}`;
};

const reserved = new Set(['static', 'dynamic']);

/** The topics that the prompt says to keep, each as its words. */
const topicsIn = (prompt: string): string[][] =>
  clausesIn(prompt)
    .map((sentence) => sentence.replace(UNWANTED, ''))
    .flatMap(splitList)
    .map(contentWords)
    .filter((words) => words.length > 0);

/** Three to five. */
export const suggestCategories = (prompt: string): string[] => {
  const named = topicsIn(prompt).map((words) => words.join(' ').slice(0, LONGEST_CATEGORY).trim());
  const found = [...new Set(named)].slice(0, MOST_CATEGORIES);
  const general = GENERAL.map(({ key }) => key).filter((key) => !found.includes(key));
  return [...found, ...general.slice(0, Math.max(0, FEWEST - found.length))];
};

/** Three to six; those that exist already are not suggested again. */
export const suggestBuckets = (prompt: string, existing: readonly ProfileBucket[]): ProfileBucket[] => {
  const found = new Map<string, ProfileBucket>();
  const phrases = topicsIn(prompt);
  const known = new Set([...existing.map(({ key }) => key), ...reserved]);
  const add = (bucket: ProfileBucket) => {
    if (!known.has(bucket.key) && !found.has(bucket.key)) found.set(bucket.key, bucket);
  };
  for (const [at, words] of phrases.entries())
    add({ key: bucketKey(words, at), description: `What is said about ${words.join(' ')}.` });
  for (const bucket of GENERAL) if (found.size < FEWEST) add(bucket);
  return [...found.values()].slice(0, MOST);
};
