// Finds the memories that hold the topic of an instruction to forget. A forgotten memory is lost to the user, so one
// that only looks alike stays: every word beside the person has to match, and the person has to be the one that the memory is about.
import { isTie, statesAttribute } from '../../../lib/text/attributes.ts';
import { isSpeakerWord, readSubject, type WhomItIsAbout } from '../../../lib/text/statement-subject.ts';
import { type ForgetTopic, type TopicWord, topicWords } from './forget-topic.ts';

// --- the people among the words ----------------------------------------------------------------------

interface ReadMemory {
  readonly text: string;
  readonly roots: ReadonlySet<string>;
  readonly words: readonly TopicWord[];
  readonly subject: WhomItIsAbout;
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
  /** The words among `said` that are names of things. */
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

const CALLED = /(?<![\p{L}\p{N}])(?:is|are|was|were) (?:called|named) (\p{Lu}[\p{L}\p{M}-]*)/gu;

/** "Nora's ex-husband is called Per" is about Per too. */
const namesOneOf = ({ text }: ReadMemory, people: ReadonlySet<string>): boolean =>
  [...text.matchAll(CALLED)].some(([, name = '']) => people.has(name.toLowerCase()));

const isAboutPeople = (memory: ReadMemory, asked: Asked): boolean => {
  const { people, self } = asked;
  const { subject, words } = memory;
  const mentioned = new Set(words.map(({ text }) => text.toLowerCase()));
  const isHeld = (name: string) => mentioned.has(name) || (self.has(name) && isAboutUser(memory, self));
  if (![...people].every(isHeld)) return false;
  if (
    isOfRelative(
      memory,
      (owner) => people.has(owner) || ([...people].some((name) => self.has(name)) && isSpeakerWord(owner)),
      asked,
    )
  )
    return false;
  const isSubject =
    namesOneOf(memory, people) ||
    subject.names.some((name) => people.has(name)) ||
    [...people].some((name) => self.has(name) && isAboutUser(memory, self));
  return isSubject || subject.names.length === 0;
};

/** "My allergy" is that of the user, or of nobody who is named. */
const isOfSpeaker = (memory: ReadMemory, asked: Asked): boolean =>
  !isOfRelative(memory, (owner) => isSpeakerWord(owner), asked) &&
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
