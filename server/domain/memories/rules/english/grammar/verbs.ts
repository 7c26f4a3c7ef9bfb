// English verbs: irregular forms by a table, because no rule gives them; all others by their part of speech and their ending.

import { createMemo } from '../../../../../lib/memo.ts';
import { type TaggedWord, taggedWords } from '../../../../../lib/text/language/parts-of-speech.ts';
import { type Token, tokensOf } from './words.ts';

/** Plain form, past, participle. */
const IRREGULAR = `
be was been|have had had|do did done|go went gone|get got gotten|make made made|take took taken|see saw seen
come came come|become became become|know knew known|think thought thought|say said said|tell told told|give gave given
find found found|leave left left|feel felt felt|bring brought brought|buy bought bought|catch caught caught
teach taught taught|seek sought sought|fight fought fought|keep kept kept|sleep slept slept|meet met met|lose lost lost
sell sold sold|hold held held|stand stood stood|understand understood understood|write wrote written|ride rode ridden
drive drove driven|rise rose risen|speak spoke spoken|break broke broken|choose chose chosen|wake woke woken
steal stole stolen|wear wore worn|tear tore torn|bear bore born|swear swore sworn|begin began begun|drink drank drunk
sing sang sung|swim swam swum|ring rang rung|run ran run|eat ate eaten|fall fell fallen|forget forgot forgotten
forgive forgave forgiven|grow grew grown|throw threw thrown|fly flew flown|draw drew drawn|blow blew blown
show showed shown|win won won|spend spent spent|send sent sent|lend lent lent|build built built|bend bent bent
sit sat sat|lie lay lain|pay paid paid|lead led led|feed fed fed|hear heard heard|mean meant meant|dream dreamt dreamt
learn learnt learnt|bite bit bitten|hide hid hidden|shoot shot shot|strike struck struck|stick stuck stuck|dig dug dug
hang hung hung|shake shook shaken|freeze froze frozen|light lit lit|slide slid slid|sweep swept swept|bake baked baked
split split split|quit quit quit|put put put|set set set|cut cut cut|hit hit hit|let let let|cost cost cost
hurt hurt hurt|shut shut shut|read read read|bet bet bet|spread spread spread|beat beat beaten`;

/** Verbs whose forms are nouns as well, which the tagger takes for nouns: "Anna lives", "the user works". */
const REGULAR = `
accept address answer cite commit format push pull reply respond summarize translate major adopt adore admire agree aim appreciate apply approve arrange arrive ask attend avoid believe belong book borrow
call camp cancel care carry celebrate change check clean climb close coach collect commute complete consider contain
convert cook count cover crash create cycle dance date decide deliver design despise detest develop die discover dislike
donate download earn employ enjoy enter exercise expect experience explain explore fail finish fix found garden graduate
handle happen hate help hike hire hope identify include injure intend interview invest invite itch jog join jump knit launch
like listen live loathe look love manage marry meditate mention mind miss move need offer open operate order organize
organise own paint park pass pick plan plant play practice practise prefer prepare present print produce program promise
promote publish raise reach realize receive recommend record recover register relax release relocate remember remind rent
repair replace report reside resign retire return review sail save scare schedule serve settle share ship shop sign skate
ski smoke squeak staff start stay stop store stream struggle study suffer suggest support surf switch talk taste tend test
thank tour train transfer travel treat try turn type upgrade use vape visit volunteer wait walk want wash watch welcome
work worry yell convince own weigh handle host perform attend complete deploy migrate merge ship sponsor tolerate`;

const splitAtBlanks = (text: string): string[] => text.trim().split(/\s+/);

/** One syllable with a short vowel and one final consonant: "stop", but not "need", "enter", "play". */
const SHORT = /^[^aeiou]*[aeiou][bdgklmnprt]$/;
const STRESSED_AT_THE_END = /^(?:begin|forget|admit|commit|prefer|refer|transfer|occur|regret|quit|program)$/;
const doubles = (verb: string): boolean => SHORT.test(verb) || STRESSED_AT_THE_END.test(verb);

/** "goes", "tries", "misses". */
const withS = (verb: string): string => {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
};

const withEd = (verb: string): string => {
  if (verb.endsWith('e')) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  return doubles(verb) ? `${verb}${verb.slice(-1)}ed` : `${verb}ed`;
};

const withIng = (verb: string): string => {
  if (verb.endsWith('ie')) return `${verb.slice(0, -2)}ying`;
  if (/[^eoy]e$/.test(verb) && verb !== 'be') return `${verb.slice(0, -1)}ing`;
  return doubles(verb) ? `${verb}${verb.slice(-1)}ing` : `${verb}ing`;
};

export type Inflection = 'plain' | 's' | 'past' | 'participle' | 'ing';

export interface VerbForm {
  readonly lemma: string;
  readonly forms: ReadonlySet<Inflection>;
}

const table = new Map<string, { lemma: string; forms: Set<Inflection> }>();

const noteForm = (word: string, lemma: string, form: Inflection): void => {
  const known = table.get(word);
  if (known === undefined) table.set(word, { lemma, forms: new Set([form]) });
  else if (known.lemma === lemma) known.forms.add(form);
};

const noteAll = (lemma: string, past: string, participle: string): void => {
  noteForm(lemma, lemma, 'plain');
  noteForm(withS(lemma), lemma, 's');
  noteForm(past, lemma, 'past');
  noteForm(participle, lemma, 'participle');
  noteForm(withIng(lemma), lemma, 'ing');
};

for (const row of IRREGULAR.trim().split(/[|\n]/)) {
  const [lemma = '', past = '', participle = ''] = splitAtBlanks(row);
  noteAll(lemma, past, participle);
}
for (const lemma of splitAtBlanks(REGULAR)) noteAll(lemma, withEd(lemma), withEd(lemma));
for (const [word, lemma, form] of [
  ['am', 'be', 'plain'],
  ['is', 'be', 's'],
  ['are', 'be', 'plain'],
  ['were', 'be', 'past'],
  ['has', 'have', 's'],
  ['got', 'get', 'participle'],
  ['learned', 'learn', 'past'],
  ['dreamed', 'dream', 'past'],
] as const)
  noteForm(word, lemma, form);

/** A word of a sentence with the verb that it is a form of; undefined where it is no verb. */
export interface VerbToken extends Token {
  readonly pos: string;
  readonly isKnown: boolean;
  /** By the table alone, without its sentence. */
  readonly known: VerbForm | undefined;
  readonly verb: VerbForm | undefined;
}

const regular = (lower: string, lemma: string): VerbForm => {
  const forms = new Set<Inflection>();
  if (/ing$/.test(lower) && lemma !== lower) forms.add('ing');
  else if (/ed$/.test(lower) && lemma !== lower) forms.add('past').add('participle');
  else if (/s$/.test(lower) && lemma !== lower) forms.add('s');
  else forms.add('plain');
  return { lemma, forms };
};

/** The tag of each token; the tagger sees the whole sentence and may split a token. */
const tagsOf = (text: string, tokens: readonly Token[]): TaggedWord[] => {
  const tagged = taggedWords(text);
  let at = 0;
  return tokens.map(({ start, end, lower }) => {
    while (at < tagged.length - 1 && (tagged[at]?.end ?? 0) <= start) at++;
    return tagged[at] ?? { pos: 'X', lemma: lower, isKnown: true, end };
  });
};

/** "retook", "co-led": an irregular past with a syllable in front. */
const PREFIXED = /^(?<prefix>re|co-|over|out|under|mis)(?<stem>\p{L}{3,})$/u;

const findForm = (lower: string): VerbForm | undefined => {
  const known = table.get(lower);
  const { prefix, stem } = (known ? null : PREFIXED.exec(lower)?.groups) ?? {};
  const base = stem === undefined ? undefined : table.get(stem);
  const isIrregular = base?.forms.has('past') && !base.forms.has('plain') && !/ed$/.test(stem ?? '');
  if (!base || (!isIrregular && stem !== 'led')) return known;
  return { lemma: `${prefix}${base.lemma}`, forms: base.forms };
};

const forms = createMemo<VerbForm | null>(8_192);
const knownForm = (lower: string): VerbForm | undefined =>
  forms(lower, () => findForm(lower) ?? null) ?? undefined;

/** A sentence that is tagged when the part of speech of a word is asked for. */
class TaggedSentence {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #tags: readonly TaggedWord[] | null = null;

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  tagAt(at: number): TaggedWord {
    this.#tags ??= tagsOf(this.#text, this.#tokens);
    return this.#tags[at] as TaggedWord;
  }
}

/** Most rules look at a word or two that the table knows, and tagging a sentence costs as much as ten patterns. */
class LazyToken implements VerbToken {
  readonly word: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  readonly #sentence: TaggedSentence;
  readonly #at: number;
  /** The rules ask the same words again and again; null: not looked up yet. */
  #known: VerbForm | undefined | null = null;
  #verb: VerbForm | undefined | null = null;

  constructor({ word, lower, start, end }: Token, sentence: TaggedSentence, at: number) {
    this.word = word;
    this.lower = lower;
    this.start = start;
    this.end = end;
    this.#sentence = sentence;
    this.#at = at;
  }

  get pos(): string {
    return this.#sentence.tagAt(this.#at).pos;
  }

  get isKnown(): boolean {
    return this.#sentence.tagAt(this.#at).isKnown;
  }

  get known(): VerbForm | undefined {
    if (this.#known === null) this.#known = knownForm(this.lower);
    return this.#known;
  }

  get verb(): VerbForm | undefined {
    if (this.#verb === null) this.#verb = this.known ?? this.#taggedVerb();
    return this.#verb;
  }

  #taggedVerb(): VerbForm | undefined {
    const tag = this.#sentence.tagAt(this.#at);
    return tag.pos === 'VERB' ? regular(this.lower, tag.lemma) : undefined;
  }
}

const remembered = createMemo<readonly VerbToken[]>(256);

/** The words of a sentence; their parts of speech are found when one is asked for. */
export const verbTokensOf = (text: string): readonly VerbToken[] =>
  remembered(text, () => {
    const tokens = tokensOf(text);
    const sentence = new TaggedSentence(text, tokens);
    return tokens.map((token, at) => new LazyToken(token, sentence, at));
  });

/** Past and present are equal; in the first person the past is more frequent. */
const SAME_FORMS = /^(?:quit|put|set|cut|hit|let|cost|hurt|shut|bet|spread|beat|read|split)$/;

/** The endings that the forms of a verb have which the table does not know. */
const ENDINGS: Readonly<Record<Inflection, RegExp>> = {
  plain: /$/,
  s: /s$/,
  past: /ed$/,
  participle: /ed$/,
  ing: /ing$/,
};

/** No other word is tagged as one, so that most sentences need not be tagged for it. */
const NUMERAL =
  /^(?:\d|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|[mbt]r?illion)/;
export const isNumeral = (token: VerbToken): boolean => NUMERAL.test(token.lower) && token.pos === 'NUM';

/** The ending alone often tells that it is not, before the sentence is tagged. */
export const hasForm = (token: VerbToken | undefined, form: Inflection): boolean =>
  token !== undefined &&
  (token.known !== undefined || ENDINGS[form].test(token.lower)) &&
  token.verb?.forms.has(form) === true;

export const isPastForm = (token: VerbToken): boolean =>
  hasForm(token, 'past') || hasForm(token, 'participle');

/** "lives" for "live" after "I"; a past form is unchanged. */
export const thirdPerson = ({ word, lower, verb }: VerbToken, habitual: boolean): string => {
  if (SAME_FORMS.test(lower)) return habitual ? withS(lower) : lower;
  if (verb ? !verb.forms.has('plain') || verb.forms.has('past') : /(?:ed|[^e]s)$/.test(lower)) return word;
  return withS(lower);
};
