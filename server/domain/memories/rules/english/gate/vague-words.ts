// Words that say nothing concrete. Grammar cannot tell "an idea" from "a bicycle", so these are tables.
import { createMemo } from '../../../../../lib/memo.ts';
import { wordSet } from '../grammar/words.ts';

const ABSTRACT = wordSet(`
  thing stuff something anything everything nothing way lot bit kind sort part point case fact matter idea thought time moment day week
  while life lives world people person folk guy everyone everybody someone somebody anyone one other others self place side step level end start
  chance luck fun joy love hope faith trust courage strength power energy passion pride respect care comfort peace calm stress pressure fear
  worry doubt pain trouble struggle difficulty challenge obstacle problem issue success failure progress growth change difference impact
  effect result effort work job-well journey path goal dream vision purpose meaning sense feeling emotion mood vibe spirit soul heart mind
  voice word message reminder memory story experience adventure blast treat relief blessing gift surprise honor honour pleasure beauty color
  colour creativity imagination inspiration motivation perspective outlook attitude view opinion belief value truth reality future past
  present support help advice encouragement kindness compassion acceptance bond connection relationship friendship family community team
  unity balance break rest escape opportunity possibility potential talent skill ability knowledge wisdom lesson reason cause question
  answer thanks news plan detail aspect area type form example amount top bottom look sight smile hug laugh laughter tear good best better worst
  hard excitement determination dedication resilience positivity self-care mindset confidence role importance interest focus attention
  thrill feat milestone achievement accomplishment reward highlight favorite favourite loss grief hardship uncertainty responsibility
  freedom justice equality hate input insight tip trick suggestion choice decision`);

/** Endings of nouns for ideas, with the nouns for things and events that share them. */
const ABSTRACT_ENDING = /(?:ness|tion|sion|ment|ity|ship|ance|ence|ism|hood|dom)s?$/;
const CONCRETE =
  /^(?:apartment|station|appointment|medication|university|city|ambulance|department|equipment|instrument|tournament|basement|vacation|exhibition|competition|graduation|reservation|conference|science|audience|fence|scholarship|championship|internship|membership|engagement|document|payment|operation|charity|nation|dance|insurance|medicament|supplement|allotment|fragment|garment|investment|presentation|auction|transition|surgery|application|cement|facility|utility|appliance|residence|ship|citizenship|kingdom|electricity|plantation|foundation|organization|organisation|expedition|examination|vaccination|migration|installation|subscription|prescription|location|invitation|dalmatian|intersection|collection|decoration|renovation|pension|mansion|television|version|commission|permission|condition|pregnancy|autism|tourism|ornament|monument|adoption|convention|election|fiction|addiction|infection|reception|section|donation|education|licen[cs]e|silence|absence|evidence|essence|sequence|reference|defence|defense|instance|finance|entrance|balance|distance|performance|substance|alliance|romance|surface)s?$/;

const remembered = createMemo<boolean>(8_192);

export const isVagueNoun = (lemma: string): boolean =>
  remembered(
    lemma,
    () =>
      ABSTRACT.has(lemma) ||
      ABSTRACT.has(lemma.replace(/s$/, '')) ||
      (ABSTRACT_ENDING.test(lemma) && !CONCRETE.test(lemma)),
  );

/** Verbs of thinking, feeling and talking: what they say passes with the conversation. */
export const MENTAL = wordSet(`
  feel think know hope guess believe mean wonder agree appreciate understand realize realise imagine thank wish bet suppose admire sound
  seem remember forget worry care mind figure consider notice reckon cheer deserve inspire motivate remind spark encourage touch matter
  amaze mention say tell ask talk chat hear listen share check welcome bless relate resonate reflect trust congratulate strive respect
  cherish treasure miss count depend rely cope overcome picture advise smell`);

/** Acts that somebody wants to do in general: "help people", "make a difference". */
export const VAGUE_ACTS = wordSet(
  'help make get be improve inspire do give have try keep feel work become affect change enjoy see find grow build use continue raise encourage support share create want need',
);

/** Verbs that say little without their object. */
export const LIGHT = wordSet(
  'be have do get make take go come give keep put let try need want start begin become use find turn bring happen stay leave continue keep show look see push aim support value handle manage face struggle',
);

/** Adjectives of a judgement or a passing mood. */
export const JUDGING = wordSet(`
  amazing awesome great good nice lovely wonderful fantastic incredible beautiful cool important special inspiring inspired interesting fun
  funny cute adorable sweet perfect excellent brilliant impressive gorgeous stunning powerful meaningful rewarding refreshing relaxing
  exciting excited thrilled happy glad sad proud grateful thankful lucky blessed honored honoured sorry sure busy tired exhausted hard
  tough difficult easy challenging rough crazy wild insane intense emotional motivated motivating hopeful optimistic positive curious
  interested nervous anxious scared worried stressed overwhelmed swamped down okay ok fine alright well bad terrible awful horrible best
  better worse true right wrong worth key essential vital crucial necessary possible clear obvious new different same real big huge whole
  touched moved surprised amazed shocked impressed eager pumped stoked psyched delighted pleased relieved calm peaceful alive strong
  brave confident comfortable safe warm welcome helpful supportive kind caring thoughtful understanding passionate determined committed keen
  able willing bound off upset stuck hooked yummy delicious tasty cozy vibrant colorful colourful fresh magical unique epic rad neat
  cheerful here there back unreal electric breathtaking mesmerizing addictive`);
