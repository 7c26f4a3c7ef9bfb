// Texts that are the same in every run: English stop words between made-up words of a Zipf vocabulary, with topics.

export type Random = () => number;

/** mulberry32: small, and good enough to choose words. */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const COMMON = (
  'the of and to a in is that it was for on are with as his they be at one have this from by but what all were we when ' +
  'there can an your which their said if do will each about how up out them then she many some so these would other into has'
).split(' ');
const ONSETS = 'b br c ch d dr f g gr h j k l m n p pl r s sh st t tr v w z'.split(' ');
const VOWELS = 'a e i o u ai ea ou'.split(' ');
const CODAS = ['', '', 'n', 'r', 'l', 's', 't', 'm', 'nd', 'st'];

const VOCABULARY = 30_000;
const TOPICS = 400;
const TOPIC_WORDS = 40;
const COMMON_SHARE = 0.4;
const TOPIC_SHARE = 0.25;

const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)] as T;

const madeUpWord = (random: Random): string =>
  Array.from(
    { length: random() < 0.3 ? 1 : random() < 0.7 ? 2 : 3 },
    () => pick(ONSETS, random) + pick(VOWELS, random) + pick(CODAS, random),
  ).join('');

const vocabulary = ((): string[] => {
  const random = randomFrom(7);
  const words = new Set<string>();
  while (words.size < VOCABULARY) words.add(madeUpWord(random));
  return [...words];
})();

const contentWord = (topic: number, random: Random): string => {
  const own = random() < TOPIC_SHARE / (1 - COMMON_SHARE);
  const place = own
    ? topic * TOPIC_WORDS + Math.floor(random() * TOPIC_WORDS)
    : Math.floor(Math.exp(random() * Math.log(VOCABULARY)));
  return vocabulary[place % VOCABULARY] as string;
};

const sentence = (topic: number, random: Random): string => {
  const words = Array.from({ length: 6 + Math.floor(random() * 14) }, () =>
    random() < COMMON_SHARE ? pick(COMMON, random) : contentWord(topic, random),
  );
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
};

/** A text of about this many characters, about one topic; the same number always gives the same text. */
export const textOf = (number: number, characters: number): string => {
  const random = randomFrom(number * 2 + 1);
  const topic = Math.floor(random() * TOPICS);
  let text = sentence(topic, random);
  while (text.length < characters) text += ` ${sentence(topic, random)}`;
  return `${text.slice(0, characters - 1).trimEnd()}.`;
};

/** A question about the text of that number: some of its words in another order, and one of its topic. */
export const questionAbout = (number: number, characters: number, random: Random): string => {
  const words = textOf(number, characters).replaceAll('.', '').split(' ');
  const from = Math.floor(random() * Math.max(1, words.length - 12));
  const chosen = words.slice(from, from + 12).filter(() => random() < 0.5);
  return `what ${chosen.reverse().join(' ')}?`;
};
