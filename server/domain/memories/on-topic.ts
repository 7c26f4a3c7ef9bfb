// Which memories hold the topic of an instruction to forget. What is forgotten is lost to the user, so what only looks alike
// stays: every word beside the person has to match, and the person has to be the one that the memory is about.
import { isTie, statesAttribute } from '../../lib/text/attributes.ts';
import { type ForgetTopic, type TopicWord, topicWords } from './forget-topic.ts';

interface Subject {
  readonly isUser: boolean;
  /** In small letters: "wanda" in "Wanda sails", "Wanda's sister", "User's sister Wanda". */
  readonly names: readonly string[];
  /** The first word alone, or the word after a tie: somebody and not something. */
  readonly person: string | null;
  /** "Wanda's sister is a nurse": "wanda" and "sister". */
  readonly owner: string | null;
  readonly tie: string | null;
}

// --- the subject of a memory -------------------------------------------------------------------------

/** "On Sundays, Wanda sails." */
const OPENING =
  /^(?:on|in|at|since|after|before|during|last|next|every|when|while|if|because|for|from|until|as)\b[^,]{0,80},\s*/iu;
const NO_NAMES = new Set(
  `the a an this that these those there it he she they we you his her their our its one some many most every all no both today
tomorrow yesterday on in at since after before during last next when while if because for from until as not please about`.split(
    /\s+/,
  ),
);
const USER = new Set(['user', 'i', 'my', 'me', 'we', 'our']);
const LINK = /^(?:and|or|of|the|von|van|de|del|di|da|la|du|project|team)$/iu;
const PREPOSITION = /^(?:with|of|at|in|for|about|from|to|by|on)$/iu;
const ADVERB = /^(?:also|still|never|always|usually|often|now|just|recently|really|no|not)$/iu;
const VERB = new RegExp(
  '^(?:is|are|was|were|has|have|had|does|do|did|will|would|can|could|may|might|must|should|went|got|came|met|bought|sold|ate|' +
    'took|left|made|said|told|gave|found|lost|won|kept|paid|ran|saw|sang|sat|spoke|spent|taught|thought|wrote|grew|knew|' +
    'began|broke|built|fell|felt|flew|forgot|heard|held|led|lent|sent|drove|drank|swam|wore|hates?|loves?|\\p{Ll}+(?:s|ed))$',
  'u',
);

const LONGEST_SUBJECT = 8;
const WORD = /([\p{L}\p{N}\p{M}]+(?:[.-][\p{L}\p{N}\p{M}]+)*)(['’]s?)?/gu;

interface SubjectWord {
  readonly text: string;
  readonly isCapital: boolean;
  readonly owns: boolean;
}

const leadingWords = (memory: string): SubjectWord[] =>
  [...memory.replace(OPENING, '').matchAll(WORD)]
    .slice(0, LONGEST_SUBJECT)
    .map(([, text = '', owns]) => ({ text, isCapital: /^\p{Lu}/u.test(text), owns: owns !== undefined }));

const isPronounOrArticle = ({ text }: SubjectWord): boolean =>
  NO_NAMES.has(text.toLowerCase()) || USER.has(text.toLowerCase());

/** The words before the verb. A name alone ends at the first small word; what belongs to somebody goes on. */
const subjectWords = (words: readonly SubjectWord[]): SubjectWord[] => {
  const [first] = words;
  if (first === undefined) return [];
  let goesOn =
    first.owns ||
    !first.isCapital ||
    NO_NAMES.has(first.text.toLowerCase()) ||
    /^(?:my|our)$/i.test(first.text);
  const found = [first];
  for (const word of words.slice(1)) {
    const joins = word.isCapital || LINK.test(word.text) || isTie(word.text);
    if (!joins && (VERB.test(word.text) || !(goesOn || PREPOSITION.test(word.text)))) break;
    goesOn = !isTie(word.text) && (goesOn || word.owns || PREPOSITION.test(word.text));
    found.push(word);
  }
  return found;
};

/** Every sentence begins with a capital letter, so the first word is a name only where a verb or a name follows. */
const startsWithName = ([first, next]: readonly SubjectWord[]): boolean => {
  if (first === undefined || !first.isCapital || isPronounOrArticle(first)) return false;
  if (first.owns || next === undefined) return true;
  const follows =
    next.isCapital || /^(?:and|&)$/.test(next.text) || VERB.test(next.text) || ADVERB.test(next.text);
  return follows && !/.{3}ing$/u.test(first.text);
};

const readSubject = (memory: string): Subject => {
  const leading = leadingWords(memory);
  const words = subjectWords(leading);
  const isFirstName = startsWithName(leading);
  const isUser = words.some(
    ({ text }, at) => USER.has(text.toLowerCase()) && (at === 0 || /^the$/i.test(words[at - 1]?.text ?? '')),
  );
  const named = words.filter(
    (word, at) => word.isCapital && !isPronounOrArticle(word) && (at > 0 || isFirstName),
  );
  const after = words.find(({ isCapital }, at) => isCapital && at > 0 && isTie(words[at - 1]?.text ?? ''));
  const isBare = isFirstName && !LINK.test(words[0]?.text ?? '');
  const owning = words.findIndex(({ owns }) => owns);
  const tie = words.slice(owning + 1).find(({ text }) => isTie(text));
  return {
    isUser,
    names: named.map(({ text }) => text.toLowerCase()),
    person: (isBare ? words[0] : after)?.text.toLowerCase() ?? null,
    owner: owning < 0 ? null : (words[owning]?.text.toLowerCase() ?? null),
    tie: tie?.text.toLowerCase() ?? null,
  };
};

// --- the people among the words ----------------------------------------------------------------------

interface ReadMemory {
  readonly text: string;
  readonly roots: ReadonlySet<string>;
  readonly words: readonly TopicWord[];
  readonly subject: Subject;
}

const readMemory = (text: string): ReadMemory => {
  const words = topicWords(text);
  return { text, words, roots: new Set(words.flatMap(({ roots }) => roots)), subject: readSubject(text) };
};

const PLACE = /\b(?:in|at|into|inside|(?:work\w*|employed|hired) (?:for|with|by))\s+$/iu;

/** True: "in Rome", "works for Acme". */
const isPlaceIn = (name: string, text: string): boolean => {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, at + 1))
    if (PLACE.test(lower.slice(0, at)) && !/^['’]s/.test(lower.slice(at + name.length))) return true;
  return false;
};

/** A name has no derivations: "Porto" is no port. */
const isWrittenLarge = (name: string, memories: readonly ReadMemory[]): boolean =>
  memories.some(({ words }) =>
    words.some(({ text, isCapital }, at) => at > 0 && isCapital && text.toLowerCase() === name),
  ) && isAlwaysLarge(name, memories);

const isAlwaysLarge = (name: string, memories: readonly ReadMemory[]): boolean =>
  memories.every(({ words }) =>
    words.every(({ text, isCapital }) => isCapital || text.toLowerCase() !== name),
  );

/** A word is somebody's name if the memories always write it large, tell what that one does, and place nothing there. */
const isPerson = (name: string, memories: readonly ReadMemory[]): boolean =>
  memories.some(({ subject }) => subject.person === name) &&
  isAlwaysLarge(name, memories) &&
  memories.every(({ text }) => !isPlaceIn(name, text));

/** "Wanda Berg" is the Wanda of all memories if none names another family. */
const isOnlySurnameOf = (first: string, surname: string, memories: readonly ReadMemory[]): boolean => {
  const following = memories.flatMap(({ words }) =>
    words.flatMap((word, at) =>
      word.isCapital && words[at - 1]?.text.toLowerCase() === first ? [word.text.toLowerCase()] : [],
    ),
  );
  return following.length > 0 && following.every((word) => word === surname);
};

const OWN_NAME = /^(?:the )?user(?:['’]s (?:first )?name is| is (?:called|named)) (\p{Lu}[\p{L}-]+)/iu;

/** The names of the one who speaks, as memories tell them. */
const ownNames = (memories: readonly ReadMemory[]): ReadonlySet<string> =>
  new Set(memories.flatMap(({ text }) => OWN_NAME.exec(text)?.[1]?.toLowerCase() ?? []));

// --- the match ---------------------------------------------------------------------------------------

interface Asked {
  readonly topic: ForgetTopic;
  readonly people: ReadonlySet<string>;
  /** The words that are no people. */
  readonly said: readonly TopicWord[];
  /** Those among them that are names of things. */
  readonly things: ReadonlySet<string>;
  readonly self: ReadonlySet<string>;
}

const readAsked = (topic: ForgetTopic, memories: readonly ReadMemory[]): Asked => {
  const self = ownNames(memories);
  const isName = (word: string) => self.has(word) || isPerson(word, memories);
  const people = new Set(topic.words.map(({ text }) => text.toLowerCase()).filter(isName));
  const lower = topic.words.map(({ text }) => text.toLowerCase());
  const isSurname = (at: number) =>
    people.has(lower[at - 1] ?? '') && isOnlySurnameOf(lower[at - 1] ?? '', lower[at] ?? '', memories);
  const said = topic.words.filter(({ text }, at) => {
    const isTieOfNamed = isTie(text) && people.has(lower[at + 1] ?? '');
    return !people.has(text.toLowerCase()) && !isTieOfNamed && !isSurname(at);
  });
  const things = said.map(({ text }) => text.toLowerCase()).filter((word) => isWrittenLarge(word, memories));
  return { topic, people, said, things: new Set(things), self };
};

const saysWord = ({ roots, words, text }: ReadMemory, word: TopicWord, { things }: Asked): boolean => {
  const lower = word.text.toLowerCase();
  if (things.has(lower)) return words.some((one) => one.text.toLowerCase() === lower);
  return word.roots.every((root) => roots.has(root) || statesAttribute(root, text));
};

const isAboutUser = ({ subject }: ReadMemory, self: ReadonlySet<string>): boolean =>
  subject.isUser || subject.names.some((name) => self.has(name));

/** "The nut allergy of Wanda" is not that of Wanda's sister. */
const isOfRelative = (
  { subject: { owner, tie } }: ReadMemory,
  whose: (owner: string) => boolean,
  asked: Asked,
): boolean =>
  tie !== null &&
  owner !== null &&
  whose(owner) &&
  asked.said.length > 0 &&
  !asked.said.some(({ text }) => text.toLowerCase() === tie || isTie(text));

const isAboutPeople = (memory: ReadMemory, asked: Asked): boolean => {
  const { people, self } = asked;
  const { subject, words } = memory;
  const mentioned = new Set(words.map(({ text }) => text.toLowerCase()));
  const isHeld = (name: string) => mentioned.has(name) || (self.has(name) && isAboutUser(memory, self));
  if (![...people].every(isHeld)) return false;
  if (
    isOfRelative(
      memory,
      (owner) => people.has(owner) || ([...people].some((name) => self.has(name)) && USER.has(owner)),
      asked,
    )
  )
    return false;
  const isSubject =
    subject.names.some((name) => people.has(name)) ||
    [...people].some((name) => self.has(name) && isAboutUser(memory, self));
  return isSubject || subject.names.length === 0;
};

/** "My allergy" is that of the user, or of nobody who is named. */
const isOfSpeaker = (memory: ReadMemory, asked: Asked): boolean =>
  !isOfRelative(memory, (owner) => USER.has(owner), asked) &&
  (isAboutUser(memory, asked.self) || (asked.said.length > 0 && memory.subject.names.length === 0));

/** Of several people without a name in the instruction, none is meant for sure. */
const isOneSubject = (memories: readonly ReadMemory[]): boolean =>
  new Set(memories.map(({ subject }) => subject.names[0] ?? '')).size <= 1;

/** The memories that hold the topic, or the one that it repeats word for word; `memories`: all that might, as texts. */
export const onTopic = (topic: ForgetTopic, memories: readonly string[]): ReadonlySet<string> => {
  if (memories.includes(topic.query)) return new Set([topic.query]);
  const read = memories.map(readMemory);
  const asked = readAsked(topic, read);
  const { said, people, self } = asked;
  const holding = read.filter((memory) => said.every((word) => saysWord(memory, word, asked)));
  const texts = (found: readonly ReadMemory[]) => new Set(found.map(({ text }) => text));
  if (people.size > 0) return texts(holding.filter((memory) => isAboutPeople(memory, asked)));
  if (topic.owner === 'speaker' && read.some((memory) => isAboutUser(memory, self)))
    return texts(holding.filter((memory) => isOfSpeaker(memory, asked)));
  if (said.length === 0 || (topic.owner !== null && !isOneSubject(holding))) return new Set();
  return texts(holding);
};
