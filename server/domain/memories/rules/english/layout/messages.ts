// A chat of two to six lines: too short for a document of messages, and who speaks stands before each line all the same.
import type { ReadSource, Utterance } from '../../../../../adapters/language-model/ports/memory-reader.ts';
import { NAMES_AND_WORDS } from '../grammar/names.ts';
import { isNameLabel } from './forms.ts';

const MOST_LINES = 6;
/** "Ania (mum of Kuba): ok", "Sister Obi: all clear". */
const MESSAGE =
  /^(?<speaker>\p{Lu}[\p{L}.'’-]*(?: [\p{L}.'’-]+){0,2})(?: \([^)\n]{1,40}\))?: (?<said>\S.*)$/u;
/** Words and marks of talk; a list of facts about people has none of them. */
const TALK =
  /[?!]|\p{Extended_Pictographic}|\b(?:i|me|my|mine|we|us|our|you|your|ok|okay|sorry|thanks|haha|lol|yes|yep|nope)\b/iu;

const isSpeaker = (label: string): boolean => {
  const name = label.slice(label.lastIndexOf(' ') + 1);
  return NAMES_AND_WORDS.has(name.toLowerCase()) || isNameLabel(name);
};

/** The messages of the text; null unless each line is one, most of them by people with a name. */
const messagesIn = (utterance: Utterance): Utterance[] | null => {
  const lines = utterance.text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || lines.length > MOST_LINES) return null;
  const messages = lines.flatMap((line) => {
    const { speaker, said } = MESSAGE.exec(line.trim())?.groups ?? {};
    return speaker === undefined || said === undefined ? [] : [{ speaker, said }];
  });
  const speakers = new Set(messages.map(({ speaker }) => speaker));
  if (messages.length < lines.length || speakers.size < 2) return null;
  if (!messages.some(({ said }) => TALK.test(said))) return null;
  if ([...speakers].filter(isSpeaker).length <= speakers.size / 2) return null;
  return messages.map(({ speaker, said }) => ({ ...utterance, speaker, text: said }));
};

/** The source as a conversation, if its text is a short chat. */
export const asMessages = (source: ReadSource): ReadSource => {
  const [only, ...more] = [...source.around, ...source.fresh];
  if (source.conversation || only === undefined || more.length > 0) return source;
  const fresh = messagesIn(only);
  return fresh === null ? source : { ...source, fresh, conversation: true };
};
