// The frequency of words in ordinary text, which the counts of a small container cannot show yet.

import { FUNCTION_WORDS } from '../../../lib/text/language/function-words.ts';
import { analyse } from '../../../lib/text/terms/analyse.ts';

/** The words that make up half of all questions and every second message. */
const COMMON = `
able actually always another anybody anyone anything anywhere ask away back bad best better big bit call came come day
did different does done else end even ever every everybody everyone everything everywhere exactly far feel few find
first get give go going gone good got great guess happen hard hear hello help hey hi high home hope hour idea keep
kind know last late least leave left less let life like little live long look lot love made make many may maybe mean
might mind month morning much must name need never new next nice night nobody none nothing now number oh ok okay old
one part people perhaps person pick place plan please point pretty probably put quite read ready real really remember
right said saw say see seem send set show since small somebody somehow someone something sometimes somewhere soon sort
start started still stuff such sure take taken talk tell thank thanks thing think though thought time today together
told tomorrow took top total try turn two type use used user usually want way week weekend well went whatever whenever
wherever whether whichever whoever whole wish without word work world would yeah year yes yesterday yet
`;

/** Frequent enough that sharing one says little about sharing a subject. */
const FAMILIAR = `
across actual add afternoon ago almost along already although among amount answer area around arrive become began
begin behind believe beside bought bring brought build buy car care carry case certain change check children choose
city class clear close cold common company complete consider contain continue cost course cover current cut date deal
decide decision depend describe despite develop difficult dinner direct discuss door drive early easy eat effect
either enjoy enough entire especially evening event example exist expect experience explain extra fact fairly fall
family favorite favourite figure final fine finish five follow food forget form forward found four free friday friend
front full fun further game general generally goal group grow guy half hand handle happy head heard held history hold
hot house how however huge imagine important include increase indeed instance instead interest issue job join kid
large later lead learn level likely line list listen local lose lost low lunch main manage matter meet meeting mention
message mine minute miss moment monday money most mostly move near necessary neither normal note obvious occur offer
often open option order original otherwise outside own paid parent particular past pay perfect personal phone piece
play position possible prefer prepare present previous price problem produce program provide purpose question quick
quickly rarely rather reach reason recent recently recommend regular relate remain report require respond rest result
return room run same saturday school second select sell sense serious several share shop short side similar simple
single sit situation six size sold sound special specific specify spend spent stand state stay step stop story street
study success suddenly suggest summer sunday support suppose system teach team ten test therefore third three thursday
thus tonight totally toward towards town travel tried truly tuesday understand unless unlike until update upon usual
various via view visit voice wait walk wanted watch water wednesday welcome win winter within wonder worth write wrong
wrote young
`;

/** Words of grammar in languages whose stop words the analysis keeps. */
const GRAMMAR = Object.values(FUNCTION_WORDS)
  .flatMap((words) => [...words])
  .join(' ');

const IN_GRAMMAR = 0.4;
const IN_COMMON = 0.3;
const IN_FAMILIAR = 0.1;
/** Pairs of hiragana are endings and particles. */
const IN_KANA = 0.4;
const KANA_PAIR = /^\p{Script=Hiragana}{2}$/u;

/** Later lists do not lower what an earlier one said. */
const readShares = (): Map<string, number> => {
  const found = new Map<string, number>();
  const lists = [
    [GRAMMAR, IN_GRAMMAR],
    [COMMON, IN_COMMON],
    [FAMILIAR, IN_FAMILIAR],
  ] as const;
  for (const [words, share] of lists)
    for (const term of analyse(words)) if (!found.has(term)) found.set(term, share);
  return found;
};

let known: Map<string, number> | undefined;

/** The share of short passages that hold the term; 0 for one that is not everyday. */
export const everydayShare = (term: string): number => {
  known ??= readShares();
  return known.get(term) ?? (KANA_PAIR.test(term) ? IN_KANA : 0);
};
