// The chance that a statement lasts, by a model that learned it from labelled statements (`scripts/lasting/`).
import { createRequire } from 'node:module';
import { once } from '../../../../../lib/once.ts';
import { hasTimeExpression } from '../../../../../lib/text/dates/question-dates.ts';
import { likenessesTo } from '../../../../../lib/text/meanings/word-meanings.ts';
import { rootsOf } from '../../../../../lib/text/terms/derivations.ts';
import { type BoostedTrees, probabilityBy } from '../../boosted-trees.ts';
import type { RuleFact, Sketch } from '../../language.ts';
import { SIGN_COUNT } from '../../replacing/sketch.ts';
import { evidenceInOrderBy } from '../../word-weights.ts';
import { isPersonNoun, isPetNoun } from '../grammar/people.ts';
import { type VerbToken, verbTokensOf } from '../grammar/verbs.ts';
import { withoutOwner } from '../grammar/words.ts';
import { habitAsked } from '../sentences/instructions.ts';

/** Loaded on first use. */
const learned = once(() => {
  const model = createRequire(import.meta.url)(
    './lasting-model.json',
  ) as typeof import('./lasting-model.json');
  const [evidence] = model.words.map(evidenceInOrderBy) as [(wording: readonly string[]) => number];
  const trees: BoostedTrees = model.trees;
  return { trees, evidence };
});

/** Fields of life: what is said in some of them mostly lasts. */
const FIELDS = [
  ['name nickname surname', 'house flat address city', 'born origin hometown', 'rent mortgage landlord'],
  ['job profession employer', 'nurse teacher engineer carpenter lawyer', 'meeting deadline presentation'],
  [
    'wife husband daughter son',
    'grandmother uncle cousin nephew',
    'wedding engaged divorce',
    'friend neighbour',
  ],
  ['dog cat horse pet', 'allergic allergy intolerant', 'diabetes asthma epilepsy', 'cold flu fever headache'],
  ['vegetarian vegan meat', 'coffee tea wine beer', 'breakfast dinner restaurant', 'medication tablet dose'],
  [
    'language fluent spanish german',
    'guitar violin piano choir',
    'swim run climb yoga',
    'book novel film series',
  ],
  [
    'prefer favourite hate',
    'seat hotel flight',
    'trip holiday visit',
    'shoe size shirt',
    'car bicycle drive',
  ],
  ['database framework server language', 'release bug build', 'price euro fee', 'password phone email'],
  ['exam appointment interview', 'broken repair leak', 'party concert match', 'religion church muslim'],
].flat();
const likenessToFields = likenessesTo(() => FIELDS.map((words) => rootsOf(words)));

/** Signs in the words: of habits and states that go on, and of what passes. */
const MARKS: readonly RegExp[] = [
  /\b(?:always|never|usually|only|generally|whenever|every|each|ever|anything)\b/i,
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|daily|weekly|mornings|evenings|(?:once|twice|times) an? \w+)\b/i,
  /\b(?:since|for (?:\w+ )?(?:years|decades)|all (?:his|her|their) life|originally|as a child|native)\b/i,
  /\b(?:prefers?|favou?rites?|likes?|loves?|hates?|stand|enjoys?|fond of|fan of|dislikes?|rather)\b/i,
  /\b(?:should|wants?|please|instruction|how the user|when (?:the assistant|you))\b/i,
  /\b(?:today|tonight|yesterday|tomorrow|last|next|this (?:week|month|morning|evening|year)|ago|just)\b/i,
  /\b(?:until|till|for now|at the moment|currently|these days|temporar\w*|meanwhile|so far|still|halfway)\b/i,
  /\b(?:planned|plan|plans|going to|will|due|booked|scheduled|waiting|looking for|applying|preparing|planning)\b/i,
  /\b(?:an?|the) [\p{Ll}-]+(?:er|or|ist|ian|eer|ant)\b/u,
  /\b(?:called|named|name is|goes by)\b/i,
  /\b(?:allergic|allerg\w+|intoleran\w+|diabet\w+|vegetarian|vegan|handed|blind|deaf|pacemaker|wheelchair)\b/i,
  /\b(?:works?|lives?|speaks?|plays?|owns?|keeps?|drives?|wears?|collects?|studie[sd]|runs?|teaches|takes|uses)\b/i,
  /:/,
  /\d/,
  /\b(?:1[89]|20)\d\d\b/,
  /\d+ (?:euros?|dollars?|pounds?|%|percent|kilos?|kg|km)|[€$£]|\d:\d\d/i,
];

const PARTS = ['NOUN', 'PROPN', 'VERB', 'ADJ', 'ADV', 'NUM', 'ADP', 'AUX', 'CCONJ'];

const isIn = (places: readonly number[], size: number): number[] => {
  const known = new Set(places);
  return Array.from({ length: size }, (_, place) => Number(known.has(place)));
};

const ofSketch = (sketch: Sketch): number[] => [
  sketch.tense,
  Number(sketch.isNegated),
  Number(sketch.isModal),
  Number(sketch.isProgressive),
  Number(sketch.isPerson),
  Number(sketch.verb === 'be'),
  Number(sketch.verb === 'have'),
  sketch.noun.length,
  Math.min(3, sketch.names.length),
  Math.min(20, sketch.words.length),
  ...isIn(sketch.signs, SIGN_COUNT),
];

const ofFact = (fact: RuleFact): number[] => [
  Number(fact.isStatic),
  Number(fact.slot !== null),
  Number(fact.introduces),
  Number(fact.standing === 'holds'),
  Number(fact.oneValue),
  Number(fact.canEnd),
  Number(fact.changes),
  Number(fact.isTrouble),
  Number(fact.isOfThing),
  Number(fact.ends.length > 0),
  Number(fact.frame !== null),
  Math.min(3, fact.measures.length),
  Math.min(3, fact.more.length),
  Number(fact.more.some(({ isStatic }) => isStatic)),
];

const countOf = (tokens: readonly VerbToken[], test: (token: VerbToken) => boolean): number =>
  tokens.filter(test).length;

interface FeaturedStatement {
  readonly memory: string;
  readonly fact: RuleFact;
  readonly sketch: Sketch;
  /** True: it names a day. */
  readonly isDated: boolean;
}

export const lastingFeatures = ({ memory, fact, sketch, isDated }: FeaturedStatement): number[] => {
  const tokens = verbTokensOf(memory);
  const words = [...sketch.words, ...sketch.names];
  return [
    ...ofFact(fact),
    ...ofSketch(sketch),
    Number(isDated),
    Number(hasTimeExpression(memory)),
    sketch.attributes.length,
    Math.min(40, tokens.length),
    ...PARTS.map((part) => countOf(tokens, ({ pos }) => pos === part)),
    countOf(tokens, ({ lower }) => isPersonNoun(withoutOwner(lower))),
    countOf(tokens, ({ lower }) => isPetNoun(withoutOwner(lower))),
    ...MARKS.map((mark) => Number(mark.test(memory))),
    ...likenessToFields(words),
  ];
};

/** Between 0 and 1. */
const chanceOfLasting = (weighed: FeaturedStatement): number => {
  const { trees, evidence } = learned();
  return probabilityBy(trees, [...lastingFeatures(weighed), evidence(weighed.sketch.wording)]);
};

/** A lasting fact that is missing in a profile harms a little more than one that passes and stands there. */
const LIKELY = 0.45;

interface LastingQuestion {
  readonly memory: string;
  /** Its fact; without a sketch it is of another language, and the rules alone decide. */
  readonly fact: RuleFact | null;
  readonly isDated: boolean;
  /** True: it is forgotten after a day. */
  readonly expires: boolean;
}

/** True if the statement belongs to what a profile says of somebody for good. */
export const lasts = ({ memory, fact, isDated, expires }: LastingQuestion): boolean => {
  if (fact === null || expires) return false;
  const { sketch } = fact;
  // A standing wish lasts, whatever it is about.
  if (sketch === null || habitAsked(memory) !== null) return fact.isStatic;
  return chanceOfLasting({ memory, fact, sketch, isDated }) >= LIKELY;
};
