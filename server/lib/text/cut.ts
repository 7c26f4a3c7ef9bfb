// Shortening a text without breaking a character or a word.

/** At most `limit` UTF-16 units of the text; a character that would be cut in two is left out. */
export const cutText = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  const splitsPair =
    /[\ud800-\udbff]/.test(text.charAt(limit - 1)) && /[\udc00-\udfff]/.test(text.charAt(limit));
  return text.slice(0, splitsPair ? limit - 1 : limit);
};

const ELLIPSIS = '…';
/** The end is looked for in this last share of the text. */
const SHARE = 2 / 3;
const CLAUSE_ENDS = /[、，；：]/g;
const LOOSE_END = /[\s,;:、，；：–—-]+$/u;

let words: Intl.Segmenter | undefined;

/** In scripts without blanks: behind the last clause that fits, else behind the last word. */
const unspacedEnd = (text: string, room: number): number => {
  const least = room * SHARE;
  const clause = [...text.slice(0, room).matchAll(CLAUSE_ENDS)].at(-1)?.index ?? -1;
  if (clause > least) return clause;
  words ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  let end = -1;
  for (const { index } of words.segment(text.slice(0, room * 2))) if (index <= room) end = index;
  return end > least ? end : -1;
};

/** At most `limit` UTF-16 units with an ellipsis at the end, cut at the end of a word unless a word fills its last third. */
export const cutAtWord = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  const room = limit - ELLIPSIS.length;
  const blank = text.lastIndexOf(' ', room);
  const end = blank > room * SHARE ? blank : unspacedEnd(text, room);
  const kept = end < 0 ? cutText(text, room) : text.slice(0, end);
  return `${kept.replace(LOOSE_END, '')}${ELLIPSIS}`;
};
