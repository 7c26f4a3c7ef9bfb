// The words of a question that only ask: no answer holds them. English ones are stop words already; this file knows them in
// other languages. Texts keep theirs, because a list of function words costs a test of the language.
import { countFunctionWords, FUNCTION_WORDS } from './function-words.ts';

/** Words of other languages that mean nothing in English and name nobody. */
const ASKING: ReadonlySet<string> = new Set(
  `
wo woher wohin wer wen wem wessen wann warum wieviel
donde dónde quien quién cuando cual quiénes cuándo cuál cuáles qué cómo cuánto cuánta cuántos cuántas
où qui quand pourquoi quel quelle quels quelles quoi
quando perché quanto quanta quanti quante
onde quem qual quais quantos quantas
waar wanneer waarom hoeveel welke
gdzie dokąd skąd kto kogo komu czego czym kiedy jaki jaka jakie jaką ile dlaczego czy
nerede nereye nereden nasıl kaç hangi neden niçin
где куда откуда кто кого кому кем что чего чем когда как какой какая какое какие какую сколько почему зачем ли
أين من ما ماذا متى كيف كم هل لماذا
कहाँ कौन क्या कब कैसे कितने कितना कितनी किस किसे क्यों
뭐 뭐야 뭐예요 무엇 무엇을 무엇인가요 무슨 어디 어디에 어디서 어디야 누구 누구야 누가 언제 어떻게 왜 얼마 얼마나 몇
hvor hvem hvad hva hvornår hvordan varför vilken vilket vilka
`
    .trim()
    .split(/\s+/),
);

/** Chinese and Japanese write no spaces: the question is cut where it asks. */
const ASKING_IN_A_RUN =
  /请问|请問|叫?什么(?:样|时候|时间)?|叫?什麼(?:樣|時候|時間)?|哪里|哪裡|哪儿|哪(?:个|些|种|家|一)?|谁|誰|怎么样?|怎麼|怎样|为什么|為什麼|多少|多大|几(?=[个岁点只次年月天])|是不是|有没有|吗|嗎|呢|どこ|どちら|どれ|どの|どんな|どう|だれ|なに|何(?![かも])|いつ|いくつ|いくら|なぜ|(?:です|ます|でした|ました|でしょう)か$/u;

/**
 * Chinese and Japanese words of grammar, where they are no part of another word: a pair of characters across them is in no
 * answer. The particles of Japanese stand beside words that are not written in hiragana.
 */
const GRAMMAR_IN_A_RUN =
  /(?<!目)的(?![士确確])|(?<!自)我[们們]?|你[们們]?|您|(?<![其吉])[他她它][们們]?|(?<![但还還总總可于於像])是(?!否)|(?:^|(?<=[\p{Script=Han}\p{Script=Katakana}ー]))[のはがをにでともへや](?=[\p{Script=Han}\p{Script=Katakana}]|$)/u;

/** One alone may be a name or a part of an address: "com" is Portuguese too. */
const FEWEST_FUNCTION_WORDS = 2;

const functionWordsOf = (words: readonly string[]): ReadonlySet<string>[] => {
  const { english, others } = countFunctionWords(words);
  const most = Math.max(...others.map(([, count]) => count));
  return most < FEWEST_FUNCTION_WORDS || most <= english
    ? []
    : others.flatMap(([code, count]) => (count === most ? [FUNCTION_WORDS[code]] : []));
};

/** `words`: of a query, in lower case. */
export const withoutQuestionWords = (words: readonly string[]): string[] => {
  const dropped = [ASKING, ...functionWordsOf(words)];
  return words
    .flatMap((word) => word.split(ASKING_IN_A_RUN))
    .flatMap((word) => word.split(GRAMMAR_IN_A_RUN))
    .filter((word) => word !== '' && !dropped.some((list) => list.has(word)));
};
