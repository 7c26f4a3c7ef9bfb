// The days that a finished statement has written out, which tell when it was said and not what.

/** A day as it is written out: "on 3 May 2023", "in the week of 3 May 2023". */
const WRITTEN_DAY =
  /\b(?:(?:a few|few|a couple of|several|an?|\d+|\p{L}+) (?:days?|weeks?|months?|years?) before )?(?:on |in |at |around |since |until |from )?(?:the \p{L}+ of )?(?:\p{Lu}\p{Ll}+day )?(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b|\bin (?:(?:spring|summer|autumn|fall|winter) )?(?:19|20)\d\d\b/gu;
export const IS_DATED = / (?:19|20)\d\d\b/;

export const withoutDay = (words: string): string => words.replace(WRITTEN_DAY, '').trim();
