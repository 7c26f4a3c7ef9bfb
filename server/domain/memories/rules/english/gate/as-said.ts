// Decides whether a sentence of which the grammar makes no statement is kept as it was said, by its chance of worth and by its
// place. The model of worth sees the sentence alone; what stands around it tells data from a remark: "light theme too these days"
// beside other facts, and "two more days to be scared" as a message of its own.

/** In odds. Fitted on the sentences of eight sets of scenarios that the model has not learned from (docs/measurements/reader.md). */
const SURE = 0.7;
const OF_NOTE = -0.4;
const OF_WHOLE_MESSAGE = -1.1;
/** A long message to somebody is mostly chat. */
const OF_LONG_MESSAGE = -1.5;
const OF_EXCLAMATION = -0.7;
const OF_NUMBER = 0.8;
const OF_LENGTH = 1.2;

/** In words. */
const LONG = 8;
/** In characters; some 25 words. */
const LONG_MESSAGE = 140;
/** The rest of the message is a word of greeting, or nothing: "Sorry, I have to go now". */
const WHOLE = 0.7;

export interface SaidIn {
  readonly said: string;
  readonly message: string;
  readonly isConversation: boolean;
}

const isLongMessage = (message: string): boolean => message.length > LONG_MESSAGE;

const NAME_OR_NUMBER = /(?<=.)(?:\p{Lu}\p{L}|\d)/u;

/** A sentence whose pronoun stays open says nothing alone: "They are full of potholes" in the midst of a long message. */
export const isPartOfChat = (said: string, message: string): boolean =>
  isLongMessage(message) && !NAME_OR_NUMBER.test(said);

const lettersIn = (text: string): number => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim().length;

/** Most sentences are much shorter than their message, so that its letters need not be counted. */
const isWholeMessage = ({ said, message }: SaidIn): boolean =>
  message.length < 2 * said.length && lettersIn(said) > WHOLE * lettersIn(message);

const oddsOfPlace = (place: SaidIn): number => {
  const { said, message, isConversation } = place;
  const isWhole = isConversation && isWholeMessage(place);
  return (
    (isConversation ? 0 : OF_NOTE) +
    (isWhole ? OF_WHOLE_MESSAGE : 0) +
    (isConversation && isLongMessage(message) ? OF_LONG_MESSAGE : 0) +
    (said.includes('!') ? OF_EXCLAMATION : 0) +
    (/\d/.test(said) ? OF_NUMBER : 0) +
    (said.split(/\s+/).length >= LONG ? OF_LENGTH : 0)
  );
};

/** A date or a time alone says nothing. */
const HAS_LETTER = /\p{L}/u;

export const isWorthAsSaid = (chance: number, place: SaidIn): boolean =>
  HAS_LETTER.test(place.said) && Math.log(chance / (1 - chance)) + oddsOfPlace(place) >= SURE;
