// Turns the English utterances of one document into self-contained statements.
import type { ReadSource, Utterance } from '../../../../adapters/language-model/ports/memory-reader.ts';
import type { Steps } from '../../../../lib/async/steps.ts';
import type { BriefFact, Interpreter, RuleStatement } from '../language.ts';
import { contentTerms, isInEnglish, pointsAway } from './acceptable.ts';
import { isTurnOfLife } from './change/life-turns.ts';
import { type Corrections, createCorrections } from './corrections/corrections.ts';
import { briefFactOf } from './fact.ts';
import { isPartOfChat, isRemarkInChat, isWorthAsSaid } from './gate/as-said.ts';
import { chanceOfWorth, isDoubted, isIdle, isSmallTalk } from './gate/chance-of-worth.ts';
import { isReferenceText, namesSomebody } from './gate/reference-texts.ts';
import { isGenerality, isJest } from './gate/remarks.ts';
import { isFragmentInTalk, isRemarkInTalk, isTalk } from './gate/talk.ts';
import { isDecision, isListedFact, isWorthKeeping, leansOnMuch, ownWords, ROW } from './gate/worth.ts';
import { clauseOf } from './grammar/clause.ts';
import { clausesOf, isSpliced } from './grammar/clauses.ts';
import { createMentions, type Mentions, mayMention } from './grammar/mentions.ts';
import { toThirdPerson, type Voice } from './grammar/person.ts';
import { createVoices, type Voices } from './grammar/voices.ts';
import { capitalised } from './grammar/words.ts';
import { hasSubject, isJournal } from './layout/journal.ts';
import { type Letter, letterIn } from './layout/letter.ts';
import { spokenSentences } from './message-sentences.ts';
import { thingsNamed, toldName, userNameIn } from './naming.ts';
import { answerStatement } from './sentences/answers.ts';
import { assistantDid } from './sentences/assistant.ts';
import { beforeQuestion, CONDITION, exclusionOf, SUBORDINATE } from './sentences/excluded.ts';
import { realSubject } from './sentences/fronts.ts';
import { instructionIn, orderStatement } from './sentences/instructions.ts';
import { oneWording } from './sentences/introductions.ts';
import { core } from './sentences/openers.ts';
import { fromLabel, withSpeaker } from './sentences/restored.ts';
import {
  isFact,
  isSpoken,
  judgedOf,
  listedStatements,
  namesOfVoices,
  ruleStatement,
  type SpokenSentence,
} from './spoken-sentence.ts';
import { standaloneStatement, type Told } from './statement.ts';

const LONGEST_JOINED = 400;
/** "I think my brother drinks too much" states what he does. */
const OPINION =
  /^I (?:think|believe|guess|suppose|reckon|heard|noticed) (?:that )?(?=(?:my|our) \p{L}|\p{Lu}\p{Ll}+ (?:is|was|has|will|lives|works)\b)/u;
/** A sentence with an unresolved reference is kept if it has this much content. */
const MUCH = 4;

/** The state of reading one document. */
interface State {
  readonly source: ReadSource;
  readonly voices: Voices;
  readonly mentions: Mentions;
  readonly corrections: Corrections;
  /** True for a paper, a manual or an article. */
  readonly isReference: boolean;
  /** Null for a text that is no mail. */
  readonly letter: Letter | null;
  /** True for a note whose sentences may leave out their writer. */
  readonly isJournal: boolean;
  /** True where people tell each other of their days. */
  readonly isTalk: boolean;
  /** The last question and its speaker. */
  question: { readonly text: string; readonly by: string } | null;
}

interface HeardSentence {
  /** Without short forms and forms of address. */
  readonly expanded: string;
  /** Also without openers. */
  readonly said: string;
  readonly speech: SpokenSentence;
  /** The first sentence of its message may answer a question. */
  readonly isFirst: boolean;
}

const heardOf = (
  { voices }: State,
  sentence: string,
  { speech, isFirst }: Pick<HeardSentence, 'speech' | 'isFirst'>,
): HeardSentence => {
  const expanded = voices.heard(sentence);
  return { expanded, said: core(expanded), speech, isFirst };
};

const learnName = (voices: Voices, name: string | null): void => {
  if (name !== null) voices.named(name);
};

const isKept = (
  state: State,
  told: Told,
  fact: BriefFact | null,
  { said, speech }: Pick<HeardSentence, 'said' | 'speech'>,
): boolean => {
  const { memory } = told;
  if (pointsAway(memory)) return false;
  const clause = clauseOf(memory);
  if (state.isReference && !namesSomebody(clause?.subject ?? '', memory)) return false;
  if (isSpoken(speech) && clause && isTurnOfLife(clause, memory, capitalised(speech.voice.name))) return true;
  const judged = judgedOf(told, fact, speech);
  const own = ownWords(judged.names);
  if (state.isTalk && isRemarkInTalk({ clause, memory, own, said })) return false;
  return isWorthKeeping(judged) && (isListedFact(fact) || !isDoubted({ ...judged, said }));
};

/** "2 km in 47 minutes now", "She's allergic to fish": who said it stands in front. Nothing if it is worth no memory. */
const asSaid = (state: State, said: string, speech: SpokenSentence): RuleStatement[] => {
  const { mentions, source, isReference } = state;
  const isOut =
    isReference || speech.utterance.role === 'assistant' || ROW.test(said) || CONDITION.test(said);
  const why = exclusionOf(said)?.why ?? null;
  const isDecided = isDecision(said);
  if (isOut || /^(?:question|supposition|showing)$/.test(why ?? '')) return [];
  if (!isDecided && isIdle(said, why !== null)) return [];
  if (!isInEnglish(said)) return [];
  const full = source.conversation ? withSpeaker(said) : said;
  const told = standaloneStatement(full, speech.voice, mentions, speech.daysFrom);
  const { memory } = told;
  const name = capitalised(speech.voice.name);
  const isNamed = memory.startsWith(`${name} `);
  const inChat = { said, message: speech.utterance.text, isTalk: state.isTalk };
  if (told.leans && !isNamed && isPartOfChat(inChat)) return [];
  const clause = clauseOf(memory);
  const own = ownWords(namesOfVoices(speech));
  if (clause && isSpoken(speech) && isGenerality({ clause, memory, own })) return [];
  const place = { ...inChat, isConversation: source.conversation };
  const remarked = { ...place, clause, memory, own, leans: told.leans, why };
  if (!isDecided && isSpoken(speech) && isRemarkInChat(remarked)) return [];
  if (state.isTalk && isRemarkInTalk(remarked)) return [];
  const chance = chanceOfWorth({ said, ...judgedOf(told, briefFactOf(memory), speech) });
  if (!isDecided && !isWorthAsSaid(chance, place)) return [];
  const isAttributed = isSpoken(speech) && !isNamed && (told.leans || clause === null);
  if (told.leans && !isNamed && !isAttributed) return [];
  if (isAttributed && state.isTalk && isFragmentInTalk(memory, own)) return [];
  return [ruleStatement(speech, told, isAttributed ? `${name}: ${memory}` : memory)];
};

/** Finished self-contained clauses; null if the sentence must stay whole. */
const inPieces = (state: State, sentence: string, speech: SpokenSentence): RuleStatement[] | null => {
  if (SUBORDINATE.test(sentence)) return null;
  const pieces = clausesOf(sentence);
  if (!pieces) return null;
  // A clause behind "and" that is worth no memory of its own is kept with the one before it.
  const fewer = / (?:and|but|whereas) /.test(sentence) ? clausesOf(sentence, false) : pieces;
  const isMore = pieces.length > (fewer?.length ?? 1);
  return (
    (isMore ? eachPiece(state, pieces, { sentence, speech, keepsAll: true }) : null) ??
    (fewer && eachPiece(state, fewer, { sentence, speech, keepsAll: false }))
  );
};

interface PieceOf {
  readonly sentence: string;
  readonly speech: SpokenSentence;
  /** Null unless all pieces are kept. */
  readonly keepsAll: boolean;
}

const eachPiece = (
  state: State,
  pieces: readonly string[],
  { sentence, speech, keepsAll }: PieceOf,
): RuleStatement[] | null => {
  const found: RuleStatement[] = [];
  let knowsFact = false;
  let kept = 0;
  for (const piece of pieces) {
    if (exclusionOf(piece)) {
      if (keepsAll) return null;
      continue;
    }
    const told = standaloneStatement(piece, speech.voice, state.mentions, speech.daysFrom);
    if (told.leans) return null;
    const fact = briefFactOf(told.memory);
    knowsFact ||= fact.isStatic || fact.slot !== null;
    state.mentions.clause();
    state.mentions.note(told.memory, thingsNamed(told.memory, fact.introduces));
    const isWhole = isKept(state, told, fact, { said: sentence, speech });
    const drawn = isWhole ? listedStatements(speech, told) : asSaid(state, core(piece), speech);
    if (keepsAll && drawn.length === 0) return null;
    found.push(...drawn);
    if (isWhole) kept++;
  }
  // "I'm captain so I collect the money": the reason stays with what follows from it.
  if (kept < pieces.length && / so /.test(sentence)) return null;
  const standAlone = kept === pieces.length || (kept > 0 && isSpliced(sentence, pieces));
  return knowsFact || standAlone ? found : null;
};

const wholeStatement = (state: State, sentence: string, speech: SpokenSentence): Told | null => {
  const told = standaloneStatement(sentence, speech.voice, state.mentions, speech.daysFrom);
  const fact = told.leans ? null : briefFactOf(told.memory);
  if (told.leans) return told;
  if (!isKept(state, told, fact, { said: sentence, speech })) return null;
  state.mentions.note(told.memory, thingsNamed(told.memory, fact?.introduces === true));
  return told;
};

/** A sentence that depends on the one before is joined with it. */
const joinToBefore = (state: State, told: Told, speech: SpokenSentence, found: RuleStatement[]): void => {
  if (state.isReference) return;
  if (
    !leansOnMuch(told.memory, namesOfVoices(speech), {
      hasBefore: found.length > 0,
      isConversation: isSpoken(speech),
      isDated: told.eventDates.length > 0,
    })
  )
    return;
  const content = contentTerms(told.memory, speech.voice.name).length;
  const before = found.at(-1);
  if (!before) {
    // "They" cannot be resolved, but the sentence may be the only source.
    const memory = `${capitalised(speech.voice.name)}: ${told.memory}`;
    const inChat = { said: told.memory, message: speech.utterance.text, isTalk: state.isTalk };
    const isFragment = state.isTalk && isFragmentInTalk(told.memory, ownWords(namesOfVoices(speech)));
    if (content >= MUCH && !isPartOfChat(inChat) && !isFragment)
      found.push(ruleStatement(speech, told, memory));
    return;
  }
  const joined = `${before.memory}. ${told.memory}`;
  if (content < (isFact(before) ? 3 : 1) || joined.length > LONGEST_JOINED) return;
  const both = {
    ...before,
    memory: joined,
    eventDates: [...new Set([...before.eventDates, ...told.eventDates])].sort((a, b) => a - b),
  };
  // A fact is stored separately.
  const keepsBefore = isFact(before);
  if (!keepsBefore) found.pop();
  found.push(keepsBefore ? { ...both, said: speech.said } : both);
};

/** The sentence without openers and with its omitted subject; null if it states nothing. */
const statedIn = (
  state: State,
  { expanded, said, speech, isFirst }: HeardSentence,
  before: RuleStatement | undefined,
): string | null => {
  const { source, mentions, question } = state;
  const open = isFirst && question?.by !== speech.voice.name ? question : null;
  const asked = open ? answerStatement(open.text, said) : null;
  if (asked !== null) return asked;
  const kept = beforeQuestion(expanded) ?? expanded;
  if (kept.endsWith('?')) {
    state.question = { text: kept, by: speech.voice.name };
    return null;
  }
  const plain = realSubject(
    fromLabel(oneWording((kept === expanded ? said : core(kept)).replace(OPINION, ''))),
  );
  const isOwn = source.conversation ? speech.utterance.role !== 'assistant' : state.isJournal;
  const full = isOwn && (source.conversation || !hasSubject(plain)) ? withSpeaker(plain) : plain;
  const reason = exclusionOf(mentions.resolve(full) ?? full);
  if (!reason || (reason.leans && before && !isFact(before))) return full;
  return reason.why === 'supposition' && !CONDITION.test(full) && clausesOf(full) ? full : null;
};

/** The order that the sentence gives; an assistant, a manual and a talk ("Never give up") give none that lasts. */
const orderIn = (
  { isReference, isTalk, letter }: State,
  { said, speech }: Pick<HeardSentence, 'said' | 'speech'>,
): string | null =>
  isReference || isTalk || speech.utterance.role === 'assistant'
    ? null
    : orderStatement(said, speech.voice, letter !== null);

const readPlain = (state: State, heard: HeardSentence, found: RuleStatement[]): void => {
  const { speech } = heard;
  const order = orderIn(state, heard);
  if (order !== null) {
    const told = { memory: order, leans: false, eventDates: [], forgetAfter: null };
    found.push(ruleStatement(speech, told, order));
    return;
  }
  const plain = statedIn(state, heard, found.at(-1));
  if (plain === null || (speech.utterance.role === 'assistant' && !assistantDid(plain))) return;
  const pieces = inPieces(state, plain, speech);
  const told = pieces ? null : wholeStatement(state, plain, speech);
  if (pieces) found.push(...pieces);
  else if (told?.leans) {
    const last = found.at(-1);
    joinToBefore(state, told, speech, found);
    // One that is not joined is read again, and its own pronouns do not mean whom it names.
    if (found.at(-1) !== last) state.mentions.note(told.memory, null);
  } else if (told) found.push(...listedStatements(speech, told));
  for (const { memory } of found.slice(-3)) learnName(state.voices, userNameIn(memory));
};

const readSentence = (state: State, heard: HeardSentence, found: RuleStatement[]): void => {
  state.mentions.clause();
  const { corrections, question, source } = state;
  const { expanded, said, speech, isFirst } = heard;
  const { name } = speech.voice;
  const isOwn = source.conversation && speech.utterance.role !== 'assistant';
  const answers = isFirst && question !== null && question.by !== name;
  // "No emojis" and "no inline styles either" begin like a correction.
  const isWish =
    /^no \p{L}/iu.test(expanded) && (/\beither\b/i.test(expanded) || instructionIn(expanded) !== null);
  const corrected =
    isOwn && !isWish
      ? corrections.correct({
          sentence: expanded,
          voice: speech.voice,
          answers,
          place: {
            ...{ said: speech.said, position: speech.utterance.position },
            ...{ saidAt: speech.saidAt, daysFrom: speech.daysFrom },
          },
        })
      : null;
  const isOpen = corrected !== null || answers || expanded.includes('?') || isDecision(said);
  if (!isOpen && (isSmallTalk(said) || isJest(said)) && orderIn(state, heard) === null) {
    if (isOwn) corrections.note(name, []);
    return;
  }
  const before = new Set(found);
  found.push(...(corrected?.statements ?? []));
  if (corrected?.rest === null) return;
  const left = corrected ? heardOf(state, corrected.rest, heard) : heard;
  const last = found.at(-1);
  const asked = state.question;
  readPlain(state, left, found);
  const isPlain = found.at(-1) !== last;
  if (!isPlain && state.question === asked) found.push(...asSaid(state, left.said, speech));
  if (!isPlain && left.said.length <= LONGEST_JOINED && mayMention(left.said))
    state.mentions.hear(toThirdPerson(left.said, speech.voice));
  const fresh = found.filter((one) => !before.has(one));
  const replacing = corrected ? corrections.replace(fresh) : fresh;
  found.splice(0, found.length, ...found.filter((one) => before.has(one)), ...replacing);
  if (isOwn) corrections.note(name, replacing);
};

/** The frame of a mail names its writer and its recipient. */
const voiceOf = ({ voices, letter }: State, utterance: Utterance): Voice => {
  const voice = voices.of(utterance);
  return letter ? { name: letter.writer ?? voice.name, listener: letter.recipient } : voice;
};

function* statementsIn(state: State, utterance: Utterance): Steps<RuleStatement[]> {
  if (utterance.role === 'system' || utterance.role === 'tool') return [];
  state.mentions.turn(voiceOf(state, utterance).name);
  state.corrections.turn();
  const found: RuleStatement[] = [];
  const asked = state.question;
  for (const [at, part] of spokenSentences(utterance, state).entries()) {
    // The sentence before may contain the name.
    const speech = { utterance, voice: voiceOf(state, utterance), ...part };
    readSentence(state, heardOf(state, part.said, { speech, isFirst: at === 0 }), found);
    yield;
  }
  // A question waits for the next turn only.
  if (state.question === asked) state.question = null;
  return found;
}

const isJournalOf = ({ conversation, around, fresh }: ReadSource): boolean =>
  !conversation && isJournal([...around, ...fresh].map(({ text }) => text).join('\n'));

export const createInterpreter = (
  source: ReadSource,
  names: readonly string[],
  known: readonly string[] = [],
): Interpreter => {
  const voices = createVoices(source);
  const isReference = isReferenceText(source);
  const letter = letterIn(source);
  const mentions = createMentions(
    (name) => voices.isOneOfThem(name) || name === letter?.writer || name === letter?.recipient,
  );
  const state: State = {
    source,
    voices,
    mentions,
    corrections: createCorrections(known),
    isReference,
    letter,
    isJournal: !isReference && letter === null && isJournalOf(source),
    isTalk: isTalk(source),
    question: null,
  };
  for (const text of source.guidance.entityContext) learnName(voices, toldName(text));
  for (const name of names) learnName(voices, name);
  return {
    *hear(utterance) {
      yield* statementsIn(state, utterance);
    },
    statements: (utterance) => statementsIn(state, utterance),
    withdrawn: state.corrections.withdrawn,
  };
};
