// Recognises statements about preferences, for the bucket that every organisation has.

/** A pattern of preference statements, with an example. */
interface PreferencePattern {
  pattern: RegExp;
  example: string;
}

export const PREFERENCE_PATTERNS: readonly PreferencePattern[] = [
  { pattern: /\bprefer(?:s|red|ence|ences)?\b/i, example: 'Ada prefers tea to coffee.' },
  { pattern: /\bfavou?rites?\b/i, example: "Ada's favourite colour is green." },
  { pattern: /\b(?:dis)?likes\b(?! to be)/i, example: 'Ada likes short answers.' },
  { pattern: /\bliked\b/i, example: 'Ada liked the new bakery.' },
  { pattern: /\b(?:not|never|also|really|I|we|they|you) like\b/i, example: 'Ada does not like coriander.' },
  { pattern: /\b(?:loves?|adores?|enjoys?|hates?|detests?|loathes?)\b/i, example: 'Ada hates loud bars.' },
  { pattern: /\b(?:can(?:no|')t|could not) stand\b/i, example: "Ada can't stand karaoke." },
  { pattern: /\b(?:fond|fan|sick|tired) of\b/i, example: 'Ada is a fan of trains.' },
  { pattern: /\bkeen on\b/i, example: 'Ada is keen on chess.' },
  { pattern: /\b(?:would|had|'d) rather\b/i, example: 'Ada would rather walk.' },
  {
    pattern: /\b(?:wants?|insists?) (?:her|his|their|its|the|all|every)\b/i,
    example: 'Ada wants her tea black.',
  },
  { pattern: /\b(?:vegan|vegetarian|teetotal)\b/i, example: 'Ada is vegetarian.' },
];

const ANY = new RegExp(PREFERENCE_PATTERNS.map(({ pattern }) => `(?:${pattern.source})`).join('|'), 'i');

export const tellsPreference = (statement: string): boolean => ANY.test(statement);
