// The parts of a sentence between quotation marks: what another has said, in that one's own words.
import { matchesIn } from '../../../../../lib/text/matches.ts';

const QUOTED = /["“„][^"“”„]+["”“]/gu;

/** True for the places inside quotation marks. */
export const quotedIn = (text: string): ((at: number) => boolean) => {
  const spans = matchesIn(text, QUOTED).map(({ index, 0: quote }) => [index, index + quote.length] as const);
  return (at) => spans.some(([from, to]) => at > from && at < to);
};
