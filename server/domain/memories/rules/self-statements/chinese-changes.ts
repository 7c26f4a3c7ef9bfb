// Chinese statements of change: of the speaker, of somebody named before, and of things.
import { type Alias, ANYBODY, NO_FACT, type RuleFact } from '../language.ts';

/** "Works", whatever the place: "left the bank" by its name ends it too. */
const ENDS =
  /^(?:已经|终于|现在)?(?:(?:不再?|没再)(?:学|练|打|踢|弹|跳|画|喝|吃|抽|做|去|养|教|玩)(?<no>\p{Script=Han}{1,6})了|(?:戒|卖|退|取消|放弃|辞掉|辞去|离开|退出|停)(?:掉)?了?(?<what>\p{Script=Han}{1,8}?)(?:了)?$|把(?<sold>\p{Script=Han}{1,8}?)(?:卖|退|送|扔)(?:掉)?了|从(?<left>\p{Script=Han}{2,10}?)(?:辞职|离职|退休|退学)了?)/u;
const DIED = /^(?:去世|死|走失)了?$|^(?:昨天|今天|昨晚|上周)?(?:去世|死)了/u;
/** Words of plans, denials and questions: it is not so, or not yet. */
const UNREAL =
  /想|希望|打算|计划|可能|也许|要是|如果|差点|还没|没有|没(?=卖|搬|辞)|会不会|要不要|[吗呢吧？?]/u;
const ADDED = /^(?:也|还|又)/u;
const MOVED =
  /^(?:已经|终于|上个?月|上周|去年|今年|最近|\d{1,2}月|刚|刚刚)*(?:搬到|搬去|搬来|搬家到|移居到|迁到)了?(?<place>\p{Script=Han}{2,8}?)(?:了|跟.*|和.*)?$/u;
const SCHOOL =
  /^(?:转学到了?|改上|转到了?|在?上)(?<place>\p{Script=Han}{2,8}(?:小学|中学|高中|大学|幼儿园))$/u;
const DOES =
  /^(?:现在|目前|最近|每天|每周|周[一二三四五六日末]|早上|晚上|一直|正)*(?:在|常)?(?:学|练|打|踢|弹|跳|画|喝|吃|抽|养|教|玩|有|开|上)(?<object>.{1,14})$/u;
/** "换了一辆比亚迪", "现在只喝茶": it may come in the place of what ended. */
const BEGAN =
  /^(?:已经|终于|后来|又)?(?:换了?成?|买|开|领养|找到?|改(?:成|学|喝|做)|当上?|开始)(?:了)?(?:一|新)?[只个辆包条名家份]?\p{Script=Han}|^现在只?(?:学|练|打|踢|弹|跳|画|喝|吃|抽|养|教|骑|用|在)/u;
const WORKS = /^(?:现在|目前)?在(?<object>.+?)(?:工作|上班)/u;
const ENTITY =
  /^(?<thing>[\p{Script=Han}\d]{2,12}?)(?<said>(?:坏了|出故障了|停用了|停了)|(?:修好了|恢复正常了?|恢复了|又能用了|能用了)|(?:是|涨到|降到|涨到了|降到了|改成|改为|现在是|现在有|有)(?:每[年月周天次人])?(?<number>\d+(?:\.\d+)?)(?<unit>元|块|人|名成员|名|个|只|本)|(?:定在|改到|改到了|推迟到|提前到|是在)(?<day>(?:下?周|星期|\d|明天|后天).{1,12}))$/u;
const BROKEN = /^(?:坏|出故障|停)/u;
const MENDED = /^(?:修好|恢复|又能用|能用)/u;
const CHANGED = /^(?:涨|降|改|现在|推迟|提前)/u;

const charactersOf = (text: string): string[] => [...text.replace(/[一两]?[只个辆包条名]/gu, '')];

const pairsOf = (text: string): string[] => {
  const characters = charactersOf(text);
  return characters.length < 2 ? characters : characters.slice(1).map((one, at) => `${characters[at]}${one}`);
};

const slotted = (subject: string, slot: string, value: string): Partial<RuleFact> => ({
  slot: `${subject}/${slot}`,
  value: [value],
  oneValue: true,
});

const factOfClause = (said: string, subject: string, name: string | null): RuleFact | null => {
  const base = {
    ...NO_FACT,
    subject,
    holder: subject,
    adds: ADDED.test(said),
    begins: BEGAN.test(said) && !ADDED.test(said),
    detail: pairsOf(`${name ?? ''}${said}`),
  };
  const place = MOVED.exec(said)?.groups?.place;
  if (place !== undefined) return { ...base, ...slotted(subject, 'home', place), canEnd: true };
  const school = SCHOOL.exec(said)?.groups?.place;
  if (school !== undefined) return { ...base, ...slotted(subject, 'school', school), canEnd: true };
  const { no, what, sold, left } = ENDS.exec(said)?.groups ?? {};
  const ended = no ?? what ?? sold ?? left;
  if (ended !== undefined) return { ...base, ends: [pairsOf(ended)] };
  if (DIED.test(said))
    return name === null ? null : { ...base, ends: [pairsOf(name)], subject: ANYBODY, holder: ANYBODY };
  if (base.begins && !DOES.test(said) && !WORKS.test(said)) return base;
  const object = (WORKS.exec(said) ?? DOES.exec(said.replace(ADDED, '')))?.groups?.object;
  if (object !== undefined) return { ...base, canEnd: true, object: pairsOf(object), topic: pairsOf(said) };
  return null;
};

const KIN =
  '(?:大|小|二)?(?:女儿|儿子|孩子|妻子|老婆|太太|丈夫|老公|先生|爸爸|父亲|妈妈|母亲|哥哥|弟弟|姐姐|妹妹|爷爷|奶奶|外公|外婆|男朋友|女朋友|室友|老板|同事|猫|狗)';
/** "用户的女儿小雨在学小提琴". */
const OF_TIE = new RegExp(
  `^(?<tie>用户的${KIN})(?:叫|名叫)?(?<name>\\p{Script=Han}{2,3}?)?(?<said>(?:今年|现在|目前|上个?月|上周|去年|最近|已经|每天|每周|也|还|又|不|在|住|是|有|上|学|搬|转|离|从|把|喜欢|戒|开|养).*)$`,
  'u',
);
const OF_NAME =
  /^用户：(?<name>\p{Script=Han}{2,3}?)(?<said>(?:已经|终于|现在|上个?月|上周|去年|最近|也|还|又|不|没|在|住|搬|转|离开|从|把|戒|卖|去世|死|开|养|学|上|改).*)$/u;

interface Subject {
  readonly key: string;
  readonly name: string | null;
  readonly said: string;
}

const subjectIn = (memory: string): Subject | null => {
  const tied = OF_TIE.exec(memory)?.groups;
  if (tied?.tie && tied.said !== undefined)
    return { key: `${tied.tie}${tied.name ?? ''}`, name: tied.name ?? null, said: tied.said };
  const named = OF_NAME.exec(memory)?.groups;
  if (named?.name && named.said !== undefined) return { key: named.name, name: named.name, said: named.said };
  const user = /^用户(?![的：])(?<said>.+)$/u.exec(memory)?.groups?.said;
  return user === undefined ? null : { key: 'user', name: null, said: user };
};

/** The facts of a finished statement, one of each clause. */
export const chineseChanges = (memory: string): RuleFact[] => {
  const thing = chineseThing(memory);
  if (thing) return [thing];
  const subject = subjectIn(memory);
  if (!subject || UNREAL.test(memory)) return [];
  return subject.said
    .split(/[，,；;]/u)
    .flatMap((clause) => factOfClause(clause.trim(), subject.key, subject.name) ?? []);
};

/** A name at the beginning, of somebody who does or ends something: "小雨不学小提琴了". */
export const chineseNamed = (sentence: string): string | null => {
  const memory = `用户：${sentence.replace(/[。！!.\s]+$/u, '')}`;
  const { name } = OF_NAME.exec(memory)?.groups ?? {};
  if (name === undefined || /[我你他她它这那]|^(?:大家|今天|明天|昨天|最近|现在)/u.test(name)) return null;
  return chineseChanges(memory).length > 0 ? name : null;
};

export const chineseAliases = (memory: string): Alias[] => {
  const { tie, name } = OF_TIE.exec(memory)?.groups ?? {};
  const called = new RegExp(`^(?<tie>用户的${KIN})(?:叫|名叫)(?<name>\\p{Script=Han}{2,3})$`, 'u').exec(
    memory,
  )?.groups;
  const [whose, named] = [called?.tie ?? tie, called?.name ?? name];
  if (whose === undefined || named === undefined) return [];
  return [
    [`${whose}${named}`, named],
    [named, whose],
  ];
};

export const chineseThing = (sentence: string): RuleFact | null => {
  const plain = sentence.replace(/[。！!.\s]+$/u, '');
  const { thing, said, number, unit, day } = ENTITY.exec(plain)?.groups ?? {};
  if (thing === undefined || said === undefined || /[我你他她它这那]/u.test(thing) || UNREAL.test(plain))
    return null;
  const standing = CHANGED.test(said) ? 'changed' : 'holds';
  const terms = pairsOf(thing);
  const base = {
    ...NO_FACT,
    thing: terms,
    isOfThing: true,
    subject: thing,
    holder: thing,
    canEnd: true,
    detail: pairsOf(plain),
  };
  if (MENDED.test(said)) return { ...base, mends: [terms] };
  if (BROKEN.test(said)) return { ...base, isTrouble: true };
  if (number !== undefined) return { ...base, ...slotted(thing, unit ?? '', number), standing };
  return { ...base, ...slotted(thing, 'day', day ?? ''), oneValue: standing === 'changed', standing };
};
