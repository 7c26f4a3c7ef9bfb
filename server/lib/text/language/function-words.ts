// The words of grammar that tell languages apart in a text of a few words, where no test by letters is sure and none is quick
// enough for every query.
import { STOP_WORDS } from './stop-words.ts';

const LISTS = {
  de: `
aber als am an auch auf aus bei beim bin bis da dann das dass dein deine dem den der des dich die diese dieser dir
doch du ein eine einem einen einer eines er es euch euer für ganz gegen geht gibt hab habe haben hat hatte hatten
heißt ich ihm ihn ihr ihre ihrem ihren ihrer im in ist ja jede jeder kann kein keine keinen man mehr mein meine meinem
meinen meiner mich mir mit muss müssen nach nicht noch nur ob oder ohne schon sehr sein seine seit sich sie sind so
soll um und uns unser unsere unserem unseren unserer vom von vor wann war waren warum was wegen welche welchem welchen
welcher welches wem wen wenn wer werden wessen wie wieder wir wird wo wohin wurde wurden zu zum zur über`,
  fr: `
au aux avec avez avons ce ces cet cette chez comment contre d dans de des du elle elles en est et il ils je l la le
les leur leurs lui ma mais mes moi mon ne ni nos notre nous on ont ou où par pas pour qu quand que quel quelle quelles
quels qui quoi sa se ses son sont sur ta te tes toi ton tu un une vos votre vous étaient était étions être à`,
  es: `
a al como con cual cuando cuál cuáles cuándo cuánto de del donde dónde el ella ellos en era es esta este esto está
están fue ha había hay la las le les lo los me mi mis muy más ni nos nuestra nuestras nuestro nuestros o os para pero
por porque que quien quién quiénes qué se ser si sin sobre soy su sus también tiene tienen tu tus un una unas uno unos
y`,
  it: `
abbiamo agli ai al alla alle allo anche che chi ci come con contro cosa da dai dal dalla dalle dei del della delle
dello di dove e era erano gli ha hanno ho i il io le lo ma mi mia mie miei mio nei nel nella nelle nello non nostra
nostre nostri nostro né per perché più quale quali quando questa questo se si sono sua sui sul sulla sulle suo tra tua
tuo un una uno`,
  nl: `
aan bij dat de deze die door een en haar hebben heeft het hij hoe hun ik in is je jij maar met mijn naar niet nog om
onder ons onze ook op over te tegen tot uit van voor waar waarom wanneer wat we wel welk welke werd werden wie wiens
wij worden wordt ze zij zijn`,
  pt: `
ao aos as com como da das de do dos e ela ele em era essa esse esta este eu foi há isso lhe mais mas me meu meus minha
minhas muito na nas no nos não nossa nosso o onde os para pela pelo por porque qual quando quanto que quem se sem ser seu
sua são tem tu um uma você à às é`,
} as const;

/** The languages in Latin letters; Russian is told by its script. */
export type FunctionWordLanguage = keyof typeof LISTS;

const wordsIn = (list: string): string[] => list.trim().split(/\s+/);

export const FUNCTION_WORDS: Readonly<Record<FunctionWordLanguage, ReadonlySet<string>>> = {
  de: new Set(wordsIn(LISTS.de)),
  fr: new Set(wordsIn(LISTS.fr)),
  es: new Set(wordsIn(LISTS.es)),
  it: new Set(wordsIn(LISTS.it)),
  nl: new Set(wordsIn(LISTS.nl)),
  pt: new Set(wordsIn(LISTS.pt)),
};

export interface FunctionWordCounts {
  readonly english: number;
  readonly others: readonly (readonly [FunctionWordLanguage, number])[];
}

const LANGUAGES = Object.keys(LISTS) as FunctionWordLanguage[];
const ENGLISH = LANGUAGES.length;

const bitsByWord = (): Map<string, number> => {
  const bits = new Map<string, number>();
  const lists = [...LANGUAGES.map((code) => FUNCTION_WORDS[code]), STOP_WORDS];
  for (const [at, list] of lists.entries())
    for (const word of list) bits.set(word, (bits.get(word) ?? 0) | (1 << at));
  return bits;
};

/**
 * A bit for each language in which a word is one of grammar, by its place in `LANGUAGES`, English behind them: one look instead
 * of one in each list, for every text that is stored or compared.
 */
const BITS: ReadonlyMap<string, number> = bitsByWord();

/** French and Italian write some with the next word: "j'habite", "l'ospedale". */
const ELIDED = /^([cdjlmnst]|qu|jusqu|lorsqu|puisqu|un|all|dall|dell|nell|sull)'(?=\p{L}{2})/u;

/** "j" of "j'habite"; null: the word is whole. */
export const elidedWord = (word: string): string | null => ELIDED.exec(word)?.[1] ?? null;

export const withoutElidedWord = (word: string): string => word.replace(ELIDED, '');

/** The bits of the languages in which a word, in lower case, is one of grammar or begins with one ("j'habite"): nearly every word has none. */
export const languagesOfWord = (word: string): number =>
  BITS.get(word) ?? BITS.get(elidedWord(word) ?? '') ?? 0;

/** True if one of these bits is that of the language with this number. */
export const hasLanguage = (bits: number, language: number): boolean => (bits & (1 << language)) !== 0;

/** The languages of words that are known, in the lists of a text. */
export const countLanguages = (
  lists: readonly (readonly { readonly languages: number }[])[],
): FunctionWordCounts => {
  const counts = new Array<number>(ENGLISH + 1).fill(0);
  for (const words of lists)
    for (const { languages } of words)
      for (let bits = languages; bits !== 0; bits &= bits - 1) {
        const at = 31 - Math.clz32(bits & -bits);
        counts[at] = (counts[at] as number) + 1;
      }
  return {
    english: counts[ENGLISH] ?? 0,
    others: LANGUAGES.map((code, at) => [code, counts[at] ?? 0] as const),
  };
};

/** `words`: in lower case. */
export const countFunctionWords = (words: readonly string[]): FunctionWordCounts =>
  countLanguages([words.map((word) => ({ languages: languagesOfWord(word) }))]);
