// How common words are in ordinary text: what a small container's own counts cannot tell yet.
import { analyse } from '../../lib/text/analyse.ts';

/** Words of grammar in languages whose stop words the analysis keeps. */
const GRAMMAR = `
aber als am an auch auf aus bei beim bin bis da dann das dass dein deine dem den der des dich die diese dieser dir doch
du ein eine einem einen einer eines er es euch euer für ganz geht gibt hab habe haben hat hatte heißt ich ihm ihn ihr
ihre im in ist ja jede jeder kann kein keine man mehr mein meine meinem meinen meiner mich mir mit muss müssen nach
nicht noch nur ob oder ohne schon sehr sein seine seit sich sie sind so soll um und uns unser unsere vom von vor wann
war waren warum was wegen welche welcher welches welchem welchen wem wen wenn wer werden wie wieder wir wird wo wohin
wurde zu zum zur über
au aux avec ce ces cette comment dans de des du elle elles en est et être il ils je la le les leur lui ma mais mes moi
mon ne nos notre nous on où ou par pas pour quand que quel quelle qui quoi sa se ses son sont sur ta te tes toi ton tu
un une vos votre vous
al como con cual cuando cuándo de del dónde donde el ella ellos en era es esta este esto fue ha hay la las le les lo los
más me mi mis muy nos para pero por porque qué que quién quien se ser si sin sobre soy su sus tiene tu tus un una uno y
che chi ci con cosa da dei del della di dove e gli ho il io le lo mi mia mio nel non per perché più quale quando sono
sua suo tra un una
aan bij dat de een en het hij hoe ik in is je jij maar met mijn naar niet nog om ons ook op over te tot uit van voor
waar wanneer wat we wel wie wij ze zijn zij
`;

/** What half of all questions and every second message is made of. */
const COMMON = `
able actually always ask away back bad best better big bit call came come day did different does done end even ever
every far feel few find first get give go going gone good got great guess happen hard hear hello help hey hi high home
hope hour idea keep kind know last late least leave left less let life like little live long look lot love made make
many may maybe mean might mind month morning much must name need never new next nice night nothing now number oh ok okay
old one part people person pick place plan please point pretty probably put quite read ready real really remember right
said saw say see seem send set show since small someone something sometimes soon sort start started still stuff sure
take taken talk tell thank thanks thing think though thought time today together told tomorrow took top total try turn
two type use used usually want way week weekend well went whole wish without word work world would year yeah yes
yesterday yet
`;

/** Frequent enough that sharing one says little about sharing a subject. */
const FAMILIAR = `
add afternoon ago almost already answer around arrive become began begin believe bought bring brought build buy car care
carry case change check children city class close cold common company cost cover cut date deal decide difficult dinner
door drive early easy eat enjoy enough evening exactly expect fact fall family favorite favourite fine finish five
follow food forget form found four free friday friend front full fun game general group grow guy half hand happy head
heard held hold hot house how however huge imagine important include instead interest job join kid large later learn
line list listen local lose lost low lunch main matter meet meeting mention message minute miss moment monday money most
mostly move near normal note offer often open order own paid parent particular past pay phone piece play possible prefer
price problem program question quick rather reach reason recent recently recommend report rest result return room run
saturday school second sell sense share short shop side simple single sit six size sold sound special specific spend
spent stand stay step stop story street study suggest summer sunday support suppose system team teach ten test third
thursday three today tonight town travel tried tuesday understand until update usual various visit voice wait walk wanted
watch water wednesday welcome win winter wonder worth write wrong wrote young
`;

const IN_GRAMMAR = 0.4;
const IN_COMMON = 0.3;
const IN_FAMILIAR = 0.1;
/** Pairs of hiragana are endings and particles. */
const IN_KANA = 0.4;
const KANA_PAIR = /^\p{Script=Hiragana}{2}$/u;

/** Later lists do not lower what an earlier one said. */
function shares(): Map<string, number> {
  const found = new Map<string, number>();
  const lists = [
    [GRAMMAR, IN_GRAMMAR],
    [COMMON, IN_COMMON],
    [FAMILIAR, IN_FAMILIAR],
  ] as const;
  for (const [words, share] of lists)
    for (const term of analyse(words)) if (!found.has(term)) found.set(term, share);
  return found;
}

let known: Map<string, number> | undefined;

/** The share of short passages that hold the term; 0 for one that is not everyday. */
export function everydayShare(term: string): number {
  known ??= shares();
  return known.get(term) ?? (KANA_PAIR.test(term) ? IN_KANA : 0);
}
