// Expands short forms that hide a verb: "I'm" → "I am". Negations are kept ("doesn't").

/** After these, "'d" means "had". */
const HAD =
  /(?<=\b(?:I|you|he|she|it|we|they))'d(?=\s(?:better|been|already|never|just|gone|had|seen|done)\b)/gi;
/** After "'s", these mean "has". */
const HAS =
  /(?<=\b(?:he|she|it|that|there|who|what|everything|everyone|everybody))'s(?=\s(?:(?:already|just|also|always|never|recently|finally)\s)?(?:been|got|gone|had|become|done|made|taken|started|moved|grown|left|worked|lived|joined|changed)\b)/gi;
/** "she's upped the dose": what was done has an object. */
const HAS_DONE =
  /(?<=\b(?:s?he|it))'s(?=\s(?:(?:already|just|also|now)\s)?(?!called|named)\p{L}+ed\s(?:the|my|our|his|her|their|an?|me|us|it|him|them)\b)/giu;
const IS =
  /(?<=\b(?:he|she|it|that|this|there|here|what|where|who|how|everything|everyone|everybody|name))'s(?=\s)/gi;

/** "My manager's Declan": a sentence without another verb. */
const ROLE_IS =
  /^(?<role>(?:[Aa]nd |[Bb]ut )?(?:[Mm]y|[Oo]ur|[Tt]he) (?:\p{Ll}+ ){0,2}\p{Ll}+)'s(?=\s(?:(?:Mr|Mrs|Ms|Dr)\.? )?\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)?[.!]?$)/u;

/** Typed without the apostrophe: "shes", "theyre", "ive". Words such as "were", "well" and "id" stay what they are. */
const SPELT_LOOSE =
  /\b(?<who>(?:s?he|that|what|there|who)(?=s\s)|(?:they|you)(?=re\s)|(?:they|you|we|i)(?=ve\s))(?<short>s|re|ve)(?=\s)/gi;
/** "its on Friday now", "its my turn": no noun that something could own. */
const ITS_VERB =
  /\bits(?=\s(?:the|my|your|his|her|our|their|not|in|on|at|from|now|been|going to|\d\S*)\s)/giu;

interface Row {
  readonly pattern: RegExp;
  readonly full: string;
}

const ROWS: readonly Row[] = [
  { pattern: /[\u2018\u2019\u02bc\uff07]/g, full: "'" },
  { pattern: /\bi\b(?=\s|')/g, full: 'I' },
  { pattern: /\bI'?m(?=\s|$)/g, full: 'I am' },
  { pattern: /\bim(?=\s[\p{L}\d])/gu, full: 'I am' },
  { pattern: /(?<=\b(?:I|you|we|they))'ve\b/gi, full: ' have' },
  { pattern: /(?<=\b(?:I|you|he|she|it|we|they|that|there))'ll\b/gi, full: ' will' },
  { pattern: /(?<=\b(?:you|we|they))'re\b/gi, full: ' are' },
  { pattern: HAD, full: ' had' },
  { pattern: /(?<=\b(?:I|you|he|she|it|we|they))'d\b/gi, full: ' would' },
  { pattern: HAS, full: ' has' },
  { pattern: HAS_DONE, full: ' has' },
  // A possessive stands before no article and no preposition.
  {
    pattern:
      /'s(?=\s(?:an?|the|not|in|at|on|from)\s)(?<=\p{L}'s)(?<!\b(?:master|bachelor|St\.? \p{L}+|(?:above|at|behind|by|from|near|opposite|to) (?:(?:the|my|our|his|her|their) )?\p{L}+)'s)/giu,
    full: ' is',
  },
  { pattern: IS, full: ' is' },
  { pattern: ROLE_IS, full: '$<role> is' },
  { pattern: /(?<=^|\s)w\/o\s/gi, full: 'without ' },
  { pattern: /(?<=^|\s)w\/\s?(?=\S)/gi, full: 'with ' },
  { pattern: /\blet's\b/gi, full: 'let us' },
  { pattern: /\bgonna\b/gi, full: 'going to' },
  { pattern: /\bwanna\b/gi, full: 'want to' },
  { pattern: /\bgotta\b/gi, full: 'got to' },
  { pattern: /\bcannot\b/gi, full: "can't" },
  { pattern: /(?<=\s)'?til\b/g, full: 'until' },
  { pattern: /(?<=\b(?:my|our|the) \p{L}+)'s(?=\s\+?\d{3})/giu, full: ' is' },
  {
    pattern: /\b(don|doesn|didn|isn|aren|wasn|weren|won|can|couldn|shouldn|wouldn|haven|hasn|hadn)t\b(?=\s)/g,
    full: "$1't",
  },
];

const NOTHING_SHORT = /^[^'\u2018\u2019\u02bc\uff07]*$/;
const LOOSE =
  /\b(?:i|[Ii](?:m|ve)|(?:[Ss]?he|[Tt]hat|[Ww]hat|[Ww]ho|[Tt]here|[Ii]t)s|(?:[Tt]hey|[Yy]ou)(?:re|ve)|[Ww]eve|(?:don|doesn|didn|isn|aren|wasn|weren|won|can|couldn|shouldn|wouldn|haven|hasn|hadn)t)\b/;
const JOINED = /\b(?:(?:gonna|wanna|gotta|cannot|til)\b|w\/)/i;

export const expand = (sentence: string): string => {
  const isLoose = LOOSE.test(sentence);
  if (!isLoose && NOTHING_SHORT.test(sentence) && !JOINED.test(sentence)) return sentence;
  const spelt = isLoose
    ? sentence.replace(SPELT_LOOSE, "$<who>'$<short>").replace(ITS_VERB, "it's")
    : sentence;
  return ROWS.reduce((text, { pattern, full }) => text.replace(pattern, full), spelt);
};

/** Test cases: the short form and the full form. */
export const contractionExamples: readonly (readonly [string, string])[] = [
  ["I'm tired and I've had enough", 'I am tired and I have had enough'],
  ["I'm off til June, my code's 4471", 'I am off until June, my code is 4471'],
  ['dinner w/ Ana, w/o kids', 'dinner with Ana, without kids'],
  ["She's been to Rome", 'She has been to Rome'],
  ["He's a pilot", 'He is a pilot'],
  ["He's painted the shed", 'He has painted the shed'],
  ["I'd better go", 'I had better go'],
  ["We'd like tea", 'We would like tea'],
  ["My manager's Declan.", 'My manager is Declan.'],
  ["I don't eat meat", "I don't eat meat"],
  ["My Master's in law is done", "My Master's in law is done"],
  ["Anna's dog sleeps", "Anna's dog sleeps"],
  ["I was at St. Mary's in Graz", "I was at St. Mary's in Graz"],
  ["I work at the vet's on Dalry Road", "I work at the vet's on Dalry Road"],
  ['i dont like it', "I don't like it"],
  ["i'm allergic to cats", 'I am allergic to cats'],
  ['im vegan and i have a cat', 'I am vegan and I have a cat'],
  ['shes a vet and theyre in Rome', 'she is a vet and they are in Rome'],
  ['ive moved and its on floor 3', 'I have moved and it is on floor 3'],
  ['its name was Rex', 'its name was Rex'],
];
