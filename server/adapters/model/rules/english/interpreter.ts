// Reads the utterances of one document in English, from what was said to statements that stand alone.
import type { ReadSource, Utterance } from '../../port.ts';
import { sentencesOf } from '../../sentences.ts';
import type { Interpreter, Statement } from '../language.ts';
import { ABBREVIATIONS } from './abbreviations.ts';
import { contentOf, isStatement } from './acceptable.ts';
import { answered } from './answers.ts';
import { assistantDid } from './assistant.ts';
import { clausesOf, dashParts } from './clauses.ts';
import { expand } from './contractions.ts';
import { factOf } from './fact.ts';
import { instructionIn } from './instructions.ts';
import { beforeQuestion, leftOut } from './left-out.ts';
import { listedFacts } from './lists.ts';
import { createMentions } from './mentions.ts';
import { thingIntroduced, toldName, userNameIn } from './naming.ts';
import { core } from './openers.ts';
import type { Voice } from './person.ts';
import { oneWording, withSpeaker } from './restored.ts';
import { type Told, tell } from './statement.ts';
import { createVoices } from './voices.ts';
import { capitalised } from './words.ts';

/** Text that an agent put in front of the words of a person: what it remembered. */
const RECALLED =
  /<(?<tag>[a-z_-]*(?:memor(?:y|ies)|context|profile|recall)[a-z_-]*)\b[^>]{0,200}>[\s\S]*?<\/\k<tag>>/gi;
const LONGEST_JOINED = 400;
/** A sentence that leans on nothing we know is kept for what it says, if that is much. */
const MUCH = 4;

/** Behind these, what follows holds under a condition or at a time only. */
const SUBORDINATE =
  /^(?:if|when|whenever|while|since|because|although|though|after|before|as|once|unless|until|suppose|imagine|assume|assuming)\b/i;
const CONDITION =
  /^(?:if|suppose|supposing|imagine|assume|assuming|say|let us say|unless|what if|hypothetically)\b/i;

interface Speech {
  readonly utterance: Utterance;
  readonly voice: Voice;
  readonly saidAt: number | null;
  /** The sentence as it stood. */
  readonly said: string;
}

/** Its wording must be recognised when it is said again. */
const isFact = (statement: Statement): boolean => {
  const fact = factOf(statement.memory);
  return fact !== null && (fact.slot !== null || fact.introduces);
};

export function createInterpreter(source: ReadSource, memories: readonly string[]): Interpreter {
  const voices = createVoices(source);
  const mentions = createMentions((name) => voices.isOneOfThem(name));
  /** The last question, and who asked it. */
  let question: { readonly text: string; readonly by: string } | null = null;

  const learnName = (name: string | null): void => {
    if (name !== null) voices.named(name);
  };
  for (const text of source.guidance.entityContext) learnName(toldName(text));
  for (const memory of memories) learnName(userNameIn(memory));

  const statementOf = (speech: Speech, told: Told, memory: string): Statement => ({
    memory,
    said: speech.said,
    position: speech.utterance.position,
    saidAt: speech.saidAt,
    eventDates: told.eventDates,
    forgetAfter: told.forgetAfter,
  });

  /** Finished clauses that stand by themselves; null where the sentence must stay whole. */
  function inPieces(sentence: string, speech: Speech): Statement[] | null {
    const pieces = SUBORDINATE.test(sentence) ? null : clausesOf(sentence);
    if (!pieces) return null;
    const found: Statement[] = [];
    let knowsFact = false;
    for (const piece of pieces) {
      if (leftOut(piece)) continue;
      const told = tell(piece, speech.voice, mentions, speech.saidAt);
      if (told.leans) return null;
      const fact = factOf(told.memory);
      knowsFact ||= fact !== null && (fact.isStatic || fact.slot !== null);
      mentions.note(told.memory, fact?.introduces ? thingIntroduced(told.memory) : null);
      if (fact?.slot || isStatement(told.memory, speech.voice.name)) found.push(...facts(speech, told));
    }
    return knowsFact ? found : null;
  }

  const facts = (speech: Speech, told: Told): Statement[] =>
    listedFacts(told.memory).map((memory) => statementOf(speech, told, memory));

  function whole(sentence: string, speech: Speech): Told | null {
    const told = tell(sentence, speech.voice, mentions, speech.saidAt);
    const fact = told.leans ? null : factOf(told.memory);
    if (!told.leans && !(fact?.slot || isStatement(told.memory, speech.voice.name))) return null;
    mentions.note(told.memory, fact?.introduces ? thingIntroduced(told.memory) : null);
    return told;
  }

  /** What leans on the sentence before it becomes part of that one. */
  function lean(told: Told, speech: Speech, found: Statement[]): void {
    const content = contentOf(told.memory, speech.voice.name).length;
    const before = found.at(-1);
    if (!before) {
      // Nobody knows what "they" are, but what is said of them may be all there is.
      const memory = `${capitalised(speech.voice.name)}: ${told.memory}`;
      if (content >= MUCH) found.push(statementOf(speech, told, memory));
      return;
    }
    const joined = `${before.memory}. ${told.memory}`;
    if (content < (isFact(before) ? 3 : 1) || joined.length > LONGEST_JOINED) return;
    const both = {
      ...before,
      memory: joined,
      eventDates: [...new Set([...before.eventDates, ...told.eventDates])].sort((a, b) => a - b),
    };
    // A fact keeps its own row.
    const keepsBefore = isFact(before);
    if (!keepsBefore) found.pop();
    found.push(keepsBefore ? { ...both, said: speech.said } : both);
  }

  /** The sentence without what surrounds it and with what was left unsaid; null where it states nothing. */
  function stated(
    sentence: string,
    speech: Speech,
    isFirst: boolean,
    before: Statement | undefined,
  ): string | null {
    const expanded = voices.withoutCalls(expand(sentence));
    const open = isFirst && question?.by !== speech.voice.name ? question : null;
    const asked = open ? answered(open.text, core(expanded)) : null;
    if (asked !== null) return asked;
    const kept = beforeQuestion(expanded) ?? expanded;
    if (kept.endsWith('?')) {
      question = { text: kept, by: speech.voice.name };
      return null;
    }
    const plain = oneWording(core(kept));
    const isOwn = source.conversation && speech.utterance.role !== 'assistant';
    const full = isOwn ? withSpeaker(plain) : plain;
    const reason = leftOut(mentions.resolve(full) ?? full);
    if (!reason || (reason.leans && before && !isFact(before))) return full;
    return reason.why === 'supposition' && !CONDITION.test(full) && clausesOf(full) ? full : null;
  }

  function read(sentence: string, speech: Speech, found: Statement[], isFirst: boolean): void {
    const instruction =
      speech.utterance.role === 'assistant'
        ? null
        : instructionIn(core(voices.withoutCalls(expand(sentence))));
    if (instruction !== null) {
      const memory = capitalised(`${speech.voice.name}'s standing instruction: ${instruction}`);
      found.push(statementOf(speech, { memory, leans: false, eventDates: [], forgetAfter: null }, memory));
      return;
    }
    const plain = stated(sentence, speech, isFirst, found.at(-1));
    if (plain === null || (speech.utterance.role === 'assistant' && !assistantDid(plain))) return;
    const pieces = inPieces(plain, speech);
    const told = pieces ? null : whole(plain, speech);
    if (pieces) found.push(...pieces);
    else if (told?.leans) lean(told, speech, found);
    else if (told) found.push(...facts(speech, told));
    for (const { memory } of found.slice(-3)) learnName(userNameIn(memory));
  }

  function statements(utterance: Utterance): Statement[] {
    if (utterance.role === 'system' || utterance.role === 'tool') return [];
    mentions.turn();
    const found: Statement[] = [];
    const asked = question;
    const saidAt = utterance.date ?? source.documentDate;
    const sentences = sentencesOf(utterance.text.replace(RECALLED, ' '), ABBREVIATIONS);
    sentences.flatMap(dashParts).forEach((said, at) => {
      // A name may have been said in the sentence before.
      read(said, { utterance, voice: voices.of(utterance), saidAt, said }, found, at === 0);
    });
    // A question waits for the next turn only.
    if (question === asked) question = null;
    return found;
  }

  return {
    hear: (utterance) => void statements(utterance),
    statements,
  };
}
