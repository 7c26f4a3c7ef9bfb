// Recognises that a sentence denies a value and gives the right one: "it isn't dairy after all, it's egg".

const SOMEBODY = '(?:it|that|he|she|they)';
const IS = '(?:is|was|are|were)';
/** "it isn't dairy after all, it's egg": by it, a statement names what is wrong and what holds. */
const DENIED = new RegExp(
  String.raw`(?:^|(?<=[,;] )|\b(?:and|but) )${SOMEBODY} ${IS}(?:n't| not) (?:on |in |at |with )?(?<wrong>[^,;.]{2,40}?)(?: after all| actually| any ?more| at all)?(?:,|;| [–—-])(?: but| and)? ${SOMEBODY} ${IS} (?:actually |really |in fact )?(?<value>[^,;]+)`,
  'i',
);

/** Most sentences hold none. */
const NEGATION = /n't | not /;

/** True for a sentence with a value that was said before, and the right one; short forms are written out. */
export const isDenial = (sentence: string): boolean => NEGATION.test(sentence) && DENIED.test(sentence);

/** The same in a text with short forms. */
export const mayDeny = (text: string): boolean =>
  /\b(?:it|that|he|she|they)(?: (?:is|was|are|were)|['’](?:s|re))(?:n['’]t| not)\b[^.!?\n]{2,60}?[,;–—-]\s*(?:(?:but|and)\s)?(?:it|that|he|she|they)(?: (?:is|was|are|were)|['’](?:s|re))\b/i.test(
    text,
  );

/** Null for a sentence that denies nothing. */
export const deniedIn = (text: string): { readonly wrong: string; readonly value: string } | null => {
  const { wrong, value } = (NEGATION.test(text) ? DENIED.exec(text)?.groups : null) ?? {};
  return wrong === undefined || value === undefined ? null : { wrong, value };
};
