// Plans the merge of a re-sent conversation: compared message by message.
import { type Conversation, isOutsideMessages, type Turn } from '../conversations/conversation.ts';
import { commonBeginning, isWithin, overlap, shareOf, type TextUnits, textKey } from './compare-units.ts';
import { isEditedWhole, REPEATED, SAME_BEGINNING } from './thresholds.ts';

/** `take`: the incoming turns that are new. */
export type ConversationPlan =
  | { readonly decision: 'identical' | 'superset' | 'replaced' }
  | { readonly decision: 'appended'; readonly take: readonly number[] };

/** The messages of people and models, without the frame: system prompts, headings, notes of the app. */
interface Side {
  /** Hashes of the messages by text, and by text and time if all messages of both conversations have times. */
  readonly words: readonly number[];
  readonly said: TextUnits;
  /** The number of each message among all turns. */
  readonly numbers: readonly number[];
  readonly frame: ReadonlyMap<number, number>;
}

export const hasMessages = (conversation: Conversation): boolean =>
  conversation.turns.some((turn) => !isFrame(turn));

const isFrame = (turn: Turn): boolean => turn.role === 'system' || isOutsideMessages(turn);

const isTimed = ({ turns }: Conversation): boolean =>
  turns.every((turn) => isFrame(turn) || turn.at !== undefined);

const toSide = ({ turns }: Conversation, timed: boolean): Side => {
  const words: number[] = [];
  const keys: number[] = [];
  const lengths: number[] = [];
  const numbers: number[] = [];
  const frame = new Map<number, number>();
  for (const [i, turn] of turns.entries()) {
    const text = `${turn.role ?? ''}\n${turn.speaker ?? ''}\n${turn.text}`;
    const key = textKey(text);
    if (isFrame(turn)) frame.set(key, i);
    else {
      words.push(key);
      keys.push(timed ? textKey(`${turn.at}\n${text}`) : key);
      lengths.push(turn.text.length);
      numbers.push(i);
    }
  }
  return { words, said: { keys, lengths, starts: numbers }, numbers, frame };
};

export const planConversations = (stored: Conversation, incoming: Conversation): ConversationPlan => {
  const timed = isTimed(stored) && isTimed(incoming);
  const old = toSide(stored, timed);
  const sent = toSide(incoming, timed);
  const newFrame = [...sent.frame].filter(([key]) => !old.frame.has(key)).map(([, i]) => i);
  const beginning = commonBeginning(old.words, sent.words);
  const goesOn = beginning === old.words.length;
  if (goesOn || (isWithin(old.words, sent.words) && isSubstantial(old, old.words.length)))
    return planWhole(old, sent, newFrame, goesOn);
  return planPart(old, sent, newFrame, beginning);
};

/** All stored messages are in the incoming ones. */
const planWhole = (old: Side, sent: Side, newFrame: readonly number[], goesOn: boolean): ConversationPlan => {
  const known = old.words.length;
  const lost = [...old.frame.keys()].some((key) => !sent.frame.has(key));
  if (!lost && newFrame.length === 0 && goesOn && sent.words.length === known)
    return { decision: 'identical' };
  if (!lost) return { decision: 'superset' };
  // A changed system prompt makes it an edited whole; a missing heading or note does not.
  return newFrame.length > 0 || !goesOn ? { decision: 'replaced' } : planAppend(sent, known, newFrame);
};

const planPart = (
  old: Side,
  sent: Side,
  newFrame: readonly number[],
  beginning: number,
): ConversationPlan => {
  const count = sent.words.length;
  // An earlier state of the conversation arrived late.
  if (beginning === count && beginning >= SAME_BEGINNING) return planAppend(sent, count, newFrame);
  const repeated = overlap(old.said.keys, sent.said.keys);
  if (repeated > 0 && (repeated < count || isSubstantial(sent, repeated)))
    return planAppend(sent, repeated, newFrame);
  // A message may repeat an earlier one, and replacing would lose the other messages.
  if (isWithin(sent.words, old.words)) return planAppend(sent, 0, newFrame);
  if (isEditedWhole(shareOf(old.said, sent.said))) return { decision: 'replaced' };
  return planAppend(sent, beginning >= SAME_BEGINNING ? beginning : 0, newFrame);
};

/** The messages from `from` on, with the new parts of the frame; identical if nothing is new. */
const planAppend = (sent: Side, from: number, newFrame: readonly number[]): ConversationPlan => {
  const take = [...newFrame, ...sent.numbers.slice(from)].sort((a, b) => a - b);
  return take.length === 0 ? { decision: 'identical' } : { decision: 'appended', take };
};

/** Long enough to be a repetition, and not the same short message twice. */
const isSubstantial = ({ said }: Side, count: number): boolean =>
  count >= SAME_BEGINNING || (said.lengths[0] ?? 0) >= REPEATED;
