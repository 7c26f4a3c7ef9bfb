// Facts about things and people by a noun that has one value: "The wifi password is …", "Anna's favourite colour is …".
import { wordSet } from '../grammar/words.ts';

/** Nouns with one value at a time. */
export const ATTRIBUTES = wordSet(`
  name surname nickname username age birthday birthdate address email e-mail phone number mobile timezone zone nationality
  password passcode pin code key url link website domain host hostname port ip version deadline date budget price cost
  salary income rent size weight height title job role position occupation profession employer company boss manager
  supervisor mentor lead owner ceo cto cfo founder director headquarters capital location hometown home status
  colour color favourite favorite language religion diet major degree wife husband spouse partner girlfriend boyfriend
  fiance fiancé fiancée landlord landlady doctor dentist therapist accountant lawyer maker bank broker insurer team goal
  dream theme mascot motto slogan branch database framework editor ide os browser theme font licence license plate
  limit quota threshold target frequency duration capacity airport station school university gym church`);

/** After "favourite" every noun has one value. */
export const isFavourite = (noun: string): boolean =>
  /\b(?:favou?rite|preferred|primary|main|home|native|first|blood (?:type|group))\b/i.test(noun);

/** Nouns with several values at a time, or without a meaning of their own. */
export const LASTING = wordSet(
  'name surname nickname username age birthday birthdate address email phone number mobile timezone zone nationality salary income job role position occupation profession employer company boss manager mentor hometown home colour color language religion diet major degree wife husband spouse partner girlfriend boyfriend fiance fiancé fiancée landlord doctor dentist therapist goal dream height favourite favorite plate licence license airport school university',
);

/** Events whose day may change. */
export const CHANGED_DAY =
  /^(?:been )?(?:moved|postponed|rescheduled|pushed|shifted|delayed|changed|extended|slipped|brought forward|cancelled|canceled|called off)\b(?: (?:back|forward|up))?(?: (?:to|until|till|from .+? to))?\s?(?<value>.*)$/i;
export const ON_A_DAY =
  /^(?:(?:scheduled|planned|set|due|booked|taking place|happening) )?(?:(?:on|for|in|at|by)\s|(?=\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))(?<value>(?:.*\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b.*|(?:.*\s)?(?:19|20)\d\d\b.*|(?:noon|midnight|\d{1,2})(?=$|[.,;]| (?:now|every|on|in|instead)\b).*|\d{1,2}(?:(?::\d\d)?\s?(?:am|pm)|:\d\d|st|nd|rd|th)\b.*|.*(?:mon|tues|wednes|thurs|fri|satur|sun)day\b.*))$/i;
/** Verbs that connect an event with its day. */
export const HAPPENS = wordSet('launch start begin open end close ship happen release take');

export const thingExamples: readonly (readonly [statement: string, slot: string, value: string])[] = [
  ["The user's favourite colour is blue", 'user/favorit color', 'blue'],
  ["Gus's favorite band is Radiohead", 'gus/favorit band', 'radiohead'],
  ['The guest wifi password is sunflower22', 'guest wifi password', 'sunflower22'],
  ["The user's phone number is 555-0101", 'user/phone number', '555 0101'],
  ["The user's name is Anna", 'user/name', 'anna'],
  ["Anna's boyfriend is called Tom", 'anna/partner', 'date tom'],
  ["Anna's husband is Tom", 'anna/partner', 'marri tom'],
  ["Wendy's new boss is Ingrid", 'wendy/boss', 'ingrid'],
  ["Bob's birthday is on 9 October", 'bob/birthdai', '9 octob'],
  ['The budget meeting is on 9 May', 'budget meet/day', '9 mai'],
  ['The budget meeting was moved to 11 May', 'budget meet/day', '11 mai'],
];
