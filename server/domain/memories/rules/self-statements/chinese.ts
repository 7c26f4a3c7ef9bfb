// Chinese statements about oneself: the verb does not change with the person, so the name takes the place of "I".
import type { SlotFact } from '../language.ts';
import { chineseChanges, chineseNamed, chineseThing } from './chinese-changes.ts';
import type { Attribute } from './grammar/verbs.ts';

const ROWS: readonly (readonly [RegExp, Attribute])[] = [
  [/^(?:现在|目前|已经|最近)?(?:住在|定居在|搬到了?|搬去了?)(?<value>.+?)(?:了|，.*)?$/u, { slot: 'home' }],
  [/^(?:的名字)?(?:叫做?|名叫|的名字是)(?<value>\S+)$/u, { slot: 'name' }],
  [/^(?:现在|目前)?在(?<value>.+?)(?:工作|上班)/u, { slot: 'employer' }],
  [/^(?:现在|目前)?在(?<value>.+?)(?:做|当|任|担任)(?=\p{L}{2})/u, { slot: 'employer' }],
  [/^(?:已经)?从(?<value>.+?)(?:辞职|离职|退休|毕业|搬走)/u, { slot: null }],
  [/^(?:现在|目前)?(?:自己)?(?:开|经营|创办)了?(?<value>\p{L}{2,})$/u, { slot: null }],
  [/^(?:今年|已经)?(?<value>[\d零一二三四五六七八九十百]+)岁/u, { slot: 'age' }],
  [/^(?:是|是一名|是一位|是个|当)(?<value>.{1,12}?(?:师|员|生|医生|护士|家|工|手|人))$/u, { slot: 'job' }],
  [/^对(?<value>.+?)过敏/u, { slot: 'allergy', isEach: true }],
  [/^(?:不喜欢|讨厌|不爱)(?:吃|喝)?(?<value>.+)$/u, { slot: 'taste', isEach: true, denies: true }],
  [/^(?:也|最|很|非常)?(?:喜欢|爱|热爱)(?:吃|喝)?(?<value>.+)$/u, { slot: 'taste', isEach: true }],
  [/^(?:会说|会讲|能说)(?<value>.+)$/u, { slot: 'speaks', isEach: true }],
  [
    /^(?:有|养了?|没有|买了|卖了|卖掉了|正在学|在学(?!校)|学习|毕业于|出生于|出生在|来自|每天|每周|每个|经常|常常|打算|计划|吃素|开|用|患有|得了|曾经|去过|不吃|不喝|从不|戒了|结婚|离婚|订婚|昨天|明天|上周|下周|去年|今年|的)(?<value>.*)$/u,
    { slot: null },
  ],
  // "Can" with a skill; with another verb it is a promise.
  [
    /^会(?<value>(?:弹|拉|吹|唱|跳|画|骑|织|编|修|下(?:棋|围棋|象棋)|游泳|开车|做(?:菜|饭)|滑雪|写代码).*)$/u,
    { slot: null },
  ],
  [/^(?:和|跟|与)(?<value>.+?)(?:结婚|订婚|离婚|分手|住在一起|住一起|同居)/u, { slot: null }],
  [
    /^(?:只|一直|从来不|从不|平时|通常)?(?:穿|戴|喝|吃|抽|骑|弹|拉|教|练|租|收集|种|订阅)(?!了|过|完|饱|一下)(?<value>.{2,})$/u,
    { slot: null },
  ],
  [/^在.+?(?:学|读|念|教)(?![校期费者])(?<value>.+)$/u, { slot: null }],
  [/^(?:辞掉|辞去|辞了|换了|离开了|失去了|租了|收养了|领养了|考上了|加入了)(?<value>.+)$/u, { slot: null }],
  // A remark about one's own words ends with a particle: "我是开玩笑的".
  [
    /^是(?!不|否|说|想|在|要|因为|为了|来|这|那|觉得|怎么|有|从)(?<value>.{2,15}?)(?<!的|呢|吧|吗|啊)$/u,
    { slot: null },
  ],
];
/** A time before the verb: "从四月开始", "去年". */
const SINCE = /^(?:从.{1,8}?(?:开始|起)|自.{1,8}?起|去年|今年|上个?月|最近|几年前)(?=\p{L}{2})/u;
/** A relative, a pet or a company of the speaker. The next clauses are about the same. */
const RELATIVE =
  /^(?:的)?(?<who>(?:大|小|二)?(?:女儿|儿子|孩子|妻子|老婆|太太|丈夫|老公|先生|爸爸|父亲|妈妈|母亲|哥哥|弟弟|姐姐|妹妹|爷爷|奶奶|外公|外婆|男朋友|女朋友|室友|老板|同事|公司|猫|狗))(?=\p{L}{2})/u;
const VAGUE =
  /^(?:有|没有)(?:点|些|一点|时间|空|问题|意见|想法|办法)|觉得|认为|希望|知道|明白|谢谢|[吗呢吧？?]$/u;

const attributeOf = (rest: string): { attribute: Attribute; value: string } | null => {
  for (const [pattern, attribute] of ROWS) {
    const match = pattern.exec(rest) ?? pattern.exec(rest.replace(SINCE, ''));
    if (match) return { attribute, value: match.groups?.value ?? '' };
  }
  return null;
};

export const USER = '用户';

/** "我住在北京" → "王伟住在北京"; null where the sentence states nothing about the speaker or what is the speaker's. */
/** "现在只喝茶": a habit that took the place of others. */
const ONLY_NOW = /^现在只(?:喝|吃|学|练|打|抽|养|用|做)\p{Script=Han}/u;

const chineseStatement = (sentence: string, name: string | null): string | null => {
  const plain = sentence
    .replace(/[。！!.\s]+$/u, '')
    .replace(/^(?:你好|大家好|您好|嗨|其实|对了|顺便说一下)[，,！!\s]*/u, '');
  const rest = /^(?:现在|目前|从今天起)?我(?:们)?(?<rest>[^我]+)$/u.exec(plain)?.groups?.rest;
  if (rest === undefined || VAGUE.test(rest)) return null;
  const { who } = RELATIVE.exec(rest)?.groups ?? {};
  if (who === undefined) {
    const said = attributeOf(rest.replace(/^(?:也|又|还)(?=\p{Script=Han}{2})/u, ''));
    const isChange = chineseChanges(`${USER}${rest}`).some(
      ({ slot, ends }) => slot !== null || ends.length > 0,
    );
    return said === null && !isChange && !ONLY_NOW.test(rest) ? null : `${name ?? USER}${rest}`;
  }
  return `${name ?? USER}的${rest.replace(/^的/, '')}`;
};

/** "尤其是重庆火锅", "叫慢慢": the clause says more of the end of the one before. */
const SAYS_MORE = /^(?:尤其|特别是|比如|例如|包括|叫|名叫)/u;

const clausesOf = (sentence: string): string[] => {
  const clauses: string[] = [];
  for (const part of sentence.split(/[，,；;]/u)) {
    const clause = part.trim();
    const before = clauses.at(-1);
    if (before !== undefined && SAYS_MORE.test(clause)) clauses[clauses.length - 1] = `${before}，${clause}`;
    else clauses.push(clause);
  }
  return clauses;
};

/** A clause after a comma has the same subject: "我叫王伟，在华为工作", "我女儿叫小满，今年五岁". */
const chineseStatements = (sentence: string, name: string | null): string[] => {
  let subject = '';
  return clausesOf(sentence).flatMap((clause) => {
    const { rest } = /^(?:现在|目前)?我(?<rest>.*)$/u.exec(clause)?.groups ?? {};
    if (rest !== undefined) subject = `我${RELATIVE.exec(rest)?.groups?.who ?? ''}`;
    return chineseStatement(rest === undefined ? `${subject}${clause}` : clause, name) ?? [];
  });
};

/** "我有一只猫". */
const HAD = /^我(?:家|们)?(?:有|养了?)[一两]?[只个条位名](?<what>\p{L}{1,3})$/u;

/** `name`: of somebody whom another statement has to tell of. */
interface ChineseDrawn {
  readonly memory: string;
  readonly name: string | null;
}

/** The statements of one message: "她是医生" is about the sister whom the sentence before named. */
export const chineseTalk = (name: string | null): ((sentence: string) => ChineseDrawn[]) => {
  let meant: string | null = null;
  const statementsOf = (sentence: string): string[] => {
    const plain = sentence.replace(/[。！!.\s]+$/u, '');
    const { rest } = /^[他她它](?<rest>[^们].+)$/u.exec(plain)?.groups ?? {};
    if (meant !== null && rest !== undefined && attributeOf(rest) !== null)
      return chineseStatements(`${meant}${rest}`, name);
    const { who } = RELATIVE.exec(/^我(?:们)?(?<own>.+)$/u.exec(plain)?.groups?.own ?? '')?.groups ?? {};
    const own = who ?? HAD.exec(plain)?.groups?.what;
    if (own !== undefined) meant = `我${own}`;
    return chineseStatements(sentence, name);
  };
  return (sentence) => {
    const plain = sentence.replace(/[。！!.\s]+$/u, '');
    const drawn = statementsOf(sentence).map((memory) => ({ memory, name: null }));
    if (drawn.length > 0) return drawn;
    if (chineseThing(plain)) return [{ memory: plain, name: null }];
    const named = chineseNamed(plain);
    return named === null ? [] : [{ memory: `${USER}：${plain}`, name: named }];
  };
};

export const chineseFact = (
  memory: string,
): { subject: string; fact: Pick<SlotFact, 'slot' | 'value'> } | null => {
  if (!/\p{Script=Han}/u.test(memory)) return null;
  for (let at = 1; at <= Math.min(20, memory.length - 2); at++) {
    const found = attributeOf(memory.slice(at));
    if (!found?.attribute.slot) continue;
    const { slot, isEach, denies } = found.attribute;
    const value = isEach ? [denies ? 'no' : 'yes'] : [found.value];
    return { subject: memory.slice(0, at), fact: { slot: isEach ? `${slot}:${found.value}` : slot, value } };
  }
  return null;
};
