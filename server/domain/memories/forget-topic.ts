// The topic of an instruction to forget, without its verb and filler words, which would distort the search.

const POLITE = "please|kindly|can you|could you|i want you to|i'd like you to";
const VERB = 'forget|delete|remove|erase|clear|drop|wipe';
const AMOUNT = 'everything|anything|all|any|every|each';
const THING =
  'of|the|my|our|your|these|those|that|memory|memories|facts?|things?|notes?|information|details?';
const KNOWN = 'you know|you remember|we have|i said|i told you';
const LINK =
  'about|on|regarding|concerning|around|related to|relating to|mentioning|mentions?|having to do with|to do with';

const INSTRUCTION = new RegExp(
  String.raw`^(?:(?:${POLITE})[\s,]+)*(?:${VERB})\s+(?:(?:${AMOUNT})\s+)?(?:(?:${THING})\s+){0,4}(?:(?:${KNOWN})\s+)?(?:(?:${LINK})\s+)?`,
  'iu',
);

/** The topic of an instruction; a text without an instruction, or an instruction without a topic, is returned unchanged. */
export const topicOf = (query: string): string => {
  const text = query.trim();
  const topic = text
    .replace(INSTRUCTION, '')
    .replace(/[\s.!]+$/u, '')
    .trim();
  return topic === '' ? text : topic;
};
