// The attributes that questions ask for, and how statements say them without the word of the question: "Where does Anna live?",
// "Anna moved to Munich". The table holds only what neither a stem nor a derivation joins.
import { once } from '../once.ts';
import { rootsOf } from './terms/derivations.ts';

/** The members of a family, of an own household, and others who are named by their tie to somebody. */
const KIN =
  `sisters?|brothers?|siblings?|mother|mum|mom|father|dad|parents?|sons?|daughters?|child|children|kids?|baby|twins?
  |wife|husband|spouse|partner|girlfriend|boyfriend|fiancée?|ex|ex-wife|ex-husband|aunts?|uncles?|cousins?|nieces?|nephews?
  |grandmother|grandma|granny|grandfather|grandpa|grandparents?|grandsons?|granddaughters?|grandchildren|stepmother|stepfather
  |stepsons?|stepdaughters?|mother-in-law|father-in-law|sister-in-law|brother-in-law`.replace(/\s+/g, '');

const TIES =
  `${KIN}|friends?|colleagues?|co-?workers?|boss|manager|neighbou?rs?|flatmates?|roommates?|landlord|landlady|doctor
  |dentist|teacher|assistant|team|employer|company`.replace(/\s+/g, '');

const PETS =
  `pets?|dogs?|pupp(?:y|ies)|cats?|kittens?|rabbits?|bunn(?:y|ies)|hamsters?|guinea pigs?|parrots?|budgies?|budgerigars?
  |canar(?:y|ies)|goldfish|aquarium|tortoises?|turtles?|pon(?:y|ies)|horses?|ferrets?|geckos?|snakes?|beagles?|poodles?
  |labradors?|retrievers?|terriers?|dachshunds?|collies?|sheepdogs?|huskies|husky|spaniels?|bulldogs?|tomcats?|tabb(?:y|ies)`.replace(
    /\n\s*/g,
    '',
  );

/** Nouns in -er, -or and -ian that are no trade. */
const NO_TRADE =
  `member|mother|father|brother|sister|daughter|owner|lover|smoker|drinker|eater|beginner|winner|sailor|swimmer|runner
  |vegetarian|pescatarian|flexitarian|christian|italian|norwegian|brazilian|canadian|indian|russian|hungarian|austrian|reader
  |customer|neighbor|woman|man|minor|senior|junior|supporter|follower|believer|morning`.replace(/\s+/g, '');

const TRADES =
  `(?!(?:${NO_TRADE})\\b)(?:nurse|cook|chef|clerk|pilot|architect|mechanic|secretary|judge|notary|midwife|student|guard|vet
  |electrician|accountant|consultant|assistant|physician|surgeon|[a-z]+(?:er|or|ist|ian|eer|smith))`.replace(
    /\n\s*/g,
    '',
  );

const OWN = "(?:(?:my|your|his|her|its|our|their|one['’]s|\\p{Lu}[\\p{L}\\p{M}-]*['’]s) (?:own )?)";

/** Not the "living room" and the "living will". */
const LIVING =
  'living(?! (?:rooms?|spaces?|areas?|quarters|costs?|expenses?|arrangements?|conditions?|standards?|wills?))';

/** Wordings about work, of which each word by itself is about something else. */
const OF_WORK =
  `for (?:an? (?:\\w+ )?|${OWN})${LIVING}|(?:earn(?:s|ed|ing)?|mak(?:es?|ing)|made) (?:an? (?:\\w+ )?(?:${LIVING}|livelihood)|${OWN}(?:${LIVING}|livelihood|money))
  |earn(?:s|ed|ing)? (?:money|${OWN}keep)|lines? of work`.replace(/\n\s*/g, '');

const NUMBER =
  String.raw`(?:\d{1,3}|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?
  |one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)`.replace(
    /\n\s*/g,
    '',
  );

interface Attribute {
  /** Words that ask for it. */
  readonly asked: string;
  /** Matches texts that state it. Built on first use, because most starts ask for none. */
  readonly stated: () => RegExp;
}

/** Not `\b`, which knows the letters of ASCII alone. */
const attribute = (asked: string, stated: string): Attribute => ({
  asked,
  stated: once(() => new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${stated})(?![\p{L}\p{N}_])`, 'iu')),
});

const ATTRIBUTES: readonly Attribute[] = [
  attribute(
    'live home address residence reside',
    String.raw`lives?|lived|living in|resid(?:es?|ed|ing|ent)|(?<!(?:mail|web|ip|mac|url|wallet) )address|based in|(?:re)?(?:moved?|moves|moving|locat(?:es?|ed|ing)) (?:\w+ )?(?:to|into|in|from|back|out)|settled in`,
  ),
  attribute(
    'work job occupation profession career employment employer vocation livelihood',
    `works?(?! out)|worked|working (?:as|at|for|in)|jobs?|employ(?:s|ed|er|ment)|hired|profession|occupation|career|retired|${OF_WORK}|(?:is|became|was) (?:an? |the )(?:[a-z]+ )?${TRADES}`,
  ),
  attribute('pet animal', PETS),
  attribute('family relative', KIN),
  attribute('sibling', 'sisters?|brothers?|siblings?|twins?'),
  attribute('child kid', 'sons?|daughters?|child|children|kids?|baby|twins?'),
  attribute('parent', 'mother|mum|mom|father|dad|parents?'),
  attribute(
    'marriage married spouse husband wife',
    'married|marries|marriage|wedding|wed|wife|husband|spouse|divorced',
  ),
  attribute(
    'age old',
    String.raw`(?:years?|months?|weeks?) old|aged|age|turn(?:s|ed) ${NUMBER}|(?:is|are|was) (?:now |already )?${NUMBER}(?=[.,;!]|$| (?:and|in|on|this|today|now)(?!\p{L}))|born|birthday`,
  ),
  attribute('birthday born birth birthdate', 'birthday|born|birth'),
  attribute('name', 'named?|called|names|nickname'),
  attribute('phone telephone', 'phone|telephone|mobile|phone number'),
  attribute('email mail', 'e-?mail'),
  attribute('diet eat food', 'diet|eats?|ate|vegan|vegetarian|pescatarian|gluten|kosher|halal|food|meat'),
  attribute('drink beverage', 'drinks?|drank|coffee|tea|beer|wine|juice|espresso'),
  attribute('language', 'speaks?|spoke|speaking|languages?|fluent|native speaker'),
  attribute('car vehicle', 'cars?|drives? (?:an?|his|her|their)|vehicle|van'),
  attribute(
    'health illness disease medical diagnosis',
    'allerg(?:y|ies|ic)|asthma|asthmatic|diabet(?:es|ic)|ill|illness|sick|disease|diagnos(?:is|ed)|medication|insulin|injur(?:y|ed)|migraines?|intoleran(?:t|ce)|surgery|coeliac|celiac|blood pressure|broke (?:his|her|their|my|an?) \\w+',
  ),
  attribute('allergy intolerance', 'allerg(?:y|ies|ic)|intoleran(?:t|ce)'),
  attribute(
    'education university degree',
    'stud(?:ies|ied|ying)|graduat(?:ed|es|ion)|degree|university|college|bachelor|master|phd',
  ),
  attribute(
    'trip travel holiday journey',
    'trip|travel(?:s|led|ed|ling|ing)?|holidays?|vacation|journey|visit(?:s|ed|ing)?|flew|flies|went to|going to|tour',
  ),
  attribute(
    'hobby pastime',
    'hobb(?:y|ies)|plays?|enjoys?|collects?|sings?|paints?|dances?|sails?|climbs?|hikes?|knits?|swims?|cycles?|rides?',
  ),
  attribute('instrument', 'plays? the|piano|guitar|violin|cello|drums|flute|trumpet|saxophone'),
  attribute(
    'dislike hate',
    "dislikes?|hates?|detests?|loathes?|can(?:no|')t stand|doesn't like|does not like",
  ),
  attribute(
    'like love enjoy prefer favourite',
    "(?<!not |n't )(?:likes?|loves?|enjoys?|prefers?)|favou?rite|fond of",
  ),
  attribute('fear afraid scared phobia', 'afraid|scared|fears?|phobia|terrified'),
  attribute('salary income wage', 'salary|income|wages?|earns?'),
  attribute('plan intention', 'plans?|planning|planned|going to|wants? to|intends?'),
  attribute('height tall', 'tall|height'),
  attribute(
    'relationship',
    'partner|girlfriend|boyfriend|dating|relationship|engaged|married|wife|husband|broke up',
  ),
  attribute('origin nationality', 'from|grew up|native of|born in'),
  attribute(
    'medication medicine drug',
    'medications?|medicines?|pills?|tablets?|insulin|antibiotics?|takes (?:[a-z]+(?:in|ol|ine|ide|ate|one))',
  ),
  attribute(
    'sport',
    'swims?|runs?|cycles?|climbs?|hikes?|rows?|sails?|rides?|football|tennis|marathon|yoga|gym',
  ),
  attribute(
    'vivo vives vive viven reside domicilio wohne wohnst wohnt wohnen lebst lebt leben habite habites habitent vis vit abito abiti abita moro moras mora',
    'viv[eoi]n?|resid[eo]|mud(?:[oó]|ado|ada|ou|ei)|wohn(?:t|e|en|haft)|leb(?:t|e|en)|zog|zieht|(?:um)?gezogen|habit(?:e|es|ons|ent)|vi[st]|vivent|déménagé|installée?|abit[aoi]|abitano|trasferit[oaie]|mor[ao]|moram',
  ),
  attribute(
    'trabajo trabajas trabaja dedica profesión arbeite arbeitest arbeitet beruf travaille travailles métier profession lavoro lavori lavora mestiere professione trabalho trabalha profissão',
    String.raw`trabaj[aoó]|arbeitet?|travaill(?:e|es|ons|ent)|lavor[aoi]|trabalh[ao]|(?:es|est|è|é) (?:une? |uma? |un[ao] )?\p{L}+(?:or|ora|era?|ero|ist[ae]|iste|eur|euse|ien|ienne|ier|ière|iere|ic[oa]|eir[oa]|tore|trice)|ist (?:eine? )?\p{L}+(?:er|erin|ist|istin|ent|entin|eur|eurin|arzt|ärztin)`,
  ),
  { asked: '住在 住 搬到 搬家 住ん', stated: once(() => /住|搬到|搬家|搬去|引っ越/u) },
];

const ASKS_FOR_WORK = new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${OF_WORK})(?![\p{L}\p{N}_])`, 'giu');

/** The question with the word of the attribute in place of such a wording: "do for a living" asks for work, not for a home. */
export const inWordsOfAttributes = (question: string): string => question.replace(ASKS_FOR_WORK, 'work');

let byRoot: Map<string, Attribute[]> | undefined;

const readTable = (): Map<string, Attribute[]> => {
  const table = new Map<string, Attribute[]>();
  for (const each of ATTRIBUTES)
    for (const root of rootsOf(each.asked)) table.set(root, [...(table.get(root) ?? []), each]);
  return table;
};

const attributesOf = (root: string): readonly Attribute[] => {
  byRoot ??= readTable();
  return byRoot.get(root) ?? [];
};

/** True: a word with this root asks for an attribute. */
export const asksForAttribute = (root: string): boolean => attributesOf(root).length > 0;

/** True: the text states the attribute that a word with this root asks for. */
export const statesAttribute = (root: string, text: string): boolean =>
  attributesOf(root).some(({ stated }) => stated().test(text));

/** The places in the table of the attributes that a statement states. */
export const attributesIn = (statement: string): number[] =>
  ATTRIBUTES.flatMap(({ stated }, place) => (stated().test(statement) ? [place] : []));

/** The place in the table of the attribute that a word asks for. */
export const placeOfAttribute = (word: string): number =>
  ATTRIBUTES.findIndex(({ asked }) => asked.split(' ').includes(word));

const TIE = new RegExp(`^(?:${TIES})$`, 'iu');

/** True: the word names somebody by the tie to another: "sister", "boss". */
export const isTie = (word: string): boolean => TIE.test(word);
