// An instruction to forget: its topic without verb and filler words, whom it is about, and what it says beside that.
import { analyse } from '../../../lib/text/terms/analyse.ts';
import { rootOf } from '../../../lib/text/terms/derivations.ts';

const POLITE =
  "please|kindly|can you|could you|would you|i want you to|i'd like you to|you (?:can|should|may)|you no longer need to|i (?:no longer|do not|don't) want you to";
const VERB =
  "forget|delete|remove|erase|clear|drop|wipe|(?:(?:don't|do not|stop|no longer) )?(?:remember|know|keep|store|sav)(?:ing|e)?";
const AMOUNT = 'everything|anything|all|any|every|each|whatever';
const THING = 'of|the|our|your|these|those|that|memory|memories|facts?|things?|notes?|information|details?';
const KNOWN =
  'you know|you remember|you have stored|you have|we have|i said|i told you|i have told you|i ever told you|there is';
const LINK =
  'about|on|regarding|concerning|around|related to|relating to|mentioning|mentions?|having to do with|to do with|that mentions?';
const POLITE_END = String.raw`(?:[\s,]+(?:please|thanks|thank you|for me|now|for ever|forever|completely|any ?more|any longer))*[\s.!?]*$`;

const INSTRUCTION = new RegExp(
  String.raw`^(?:(?:${POLITE})[\s,]+)*(?:(?:${VERB})\s+(?:out\s+)?)?(?:(?:${AMOUNT})\s+)?(?:(?:${THING})\s+){0,4}(?:that\s+)?(?:(?:${KNOWN})\s+)?(?:(?:${LINK})\s+)?`,
  'iu',
);

/** The same in the languages in which statements become memories by rules. */
const INSTRUCTIONS_ELSEWHERE: readonly RegExp[] = [
  /^(?:bitte\s+)?(?:vergiss|vergesse|vergessen sie|lösche|entferne)\s+(?:bitte\s+)?(?:(?:alles|alle|was du)\s+)?(?:erinnerungen\s+)?(?:über|von|zu|an)?\s*/iu,
  /^(?:por favor,?\s+)?(?:olvida|olvide|borra|borre|elimina|elimine)\s+(?:todo\s+)?(?:lo que sabes\s+)?(?:sobre|de|acerca de)?\s*/iu,
  /^(?:s'il (?:te|vous) plaît,?\s+)?(?:oublie[zr]?|efface[zr]?|supprime[zr]?)\s+(?:tout\s+)?(?:ce que (?:tu sais|vous savez)\s+)?(?:sur|de|à propos de|au sujet de)?\s*/iu,
  /^(?:per favore,?\s+)?(?:dimentica|cancella|elimina)\s+(?:tutto\s+)?(?:quello che sai\s+)?(?:su|di|riguardo a)?\s*/iu,
  /^(?:por favor,?\s+)?(?:esqueça|esquece|apague|apaga|exclua)\s+(?:tudo\s+)?(?:o que sabe(?:s)?\s+)?(?:sobre|de|acerca de)?\s*/iu,
  /^(?:请)?(?:忘记|忘掉|删除|忘了)(?:所有|一切)?(?:关于|有关)?/u,
];

const CHINESE_END = /的?(?:一切|所有|全部)?(?:事情|事|信息|记忆|内容|一切)?[。！]*$/u;

const elsewhereIn = (text: string): RegExp | undefined =>
  INSTRUCTIONS_ELSEWHERE.find((instruction) => instruction.test(text));

/** The topic of an instruction; a text without an instruction, or an instruction without a topic, is returned unchanged. */
export const topicOf = (query: string): string => {
  const text = query.trim();
  const bare = text.replace(elsewhereIn(text) ?? INSTRUCTION, '').replace(new RegExp(POLITE_END, 'iu'), '');
  const topic = (/\p{Script=Han}/u.test(bare) ? bare.replace(CHINESE_END, '') : bare).trim();
  return topic === '' ? text : topic;
};

/** Words that say nothing about the memory itself. */
const FILLER = new Set(
  `everything anything all any every each whatever fact facts thing things memory memories note notes information info detail
details know knows knew known remember remembered told tell said say says mention mentions mentioned stored related relating
regarding concerning connected have has had is are was were got get please ever much many often happened`.split(
    /\s+/,
  ),
);

/** Only beside an instruction in one of these languages: "son" and "die" are English words of weight. */
const FILLER_ELSEWHERE = new Set(
  `von vom zu zum zur der die das den dem des ein eine einen einem mein meine meinen meiner sein seine ihr ihre de del la el los
las le les du d l mi mis su sus mon ma mes son sa ses mio mia suo sua di dello della dei gli il lo meu minha seu sua do da dos
das o a os as alles alle todo toda todos tout toute tutto tutta tudo`.split(/\s+/),
);

const MINE = /\b(?:i|me|my|mine|myself|we|us|our|ours)\b/iu;
const SOMEBODYS = /\b(?:he|him|his|she|her|hers|they|them|their|theirs)\b/iu;

export interface TopicWord {
  /** As written, without a possessive ending. */
  readonly text: string;
  /** The roots of the word; several in languages that put no blanks between words. */
  readonly roots: readonly string[];
  readonly isCapital: boolean;
}

export interface ForgetTopic {
  /** The query as it came. */
  readonly query: string;
  readonly text: string;
  /** The words that have to match, people and things alike. */
  readonly words: readonly TopicWord[];
  /** "my allergy", "everything about me"; "her allergy". */
  readonly owner: 'speaker' | 'somebody' | null;
}

const WORDS = /[\p{L}\p{N}\p{M}]+(?:['’.-][\p{L}\p{N}\p{M}]+)*/gu;
const POSSESSIVE = /['’]s?$|['’]s$/u;

export const topicWords = (text: string): TopicWord[] =>
  (text.match(WORDS) ?? []).map((word) => {
    const bare = word.replace(POSSESSIVE, '');
    return { text: bare, roots: analyse(bare).map(rootOf), isCapital: /^\p{Lu}/u.test(bare) };
  });

export const readForgetTopic = (query: string): ForgetTopic => {
  const text = topicOf(query);
  const fillers = elsewhereIn(query.trim()) ? FILLER_ELSEWHERE : FILLER;
  const words = topicWords(text).filter(
    ({ text: word, roots }) => roots.length > 0 && !fillers.has(word.toLowerCase()),
  );
  const owner = MINE.test(text) ? 'speaker' : SOMEBODYS.test(text) ? 'somebody' : null;
  return { query: query.trim(), text, words, owner };
};
