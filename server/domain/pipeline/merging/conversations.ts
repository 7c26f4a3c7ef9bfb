// What becomes of a conversation when messages are sent for it: compared message by message.
import { type Conversation, isLoose, type Turn } from '../conversation/turn.ts';
import { isEditedWhole, REPEATED, SAME_BEGINNING } from './rules.ts';
import { commonBeginning, isWithin, keyOf, overlap, shareOf, type Units } from './units.ts';

/** `take`: the incoming turns that are new. */
export type ConversationPlan =
  | { readonly decision: 'identical' | 'superset' | 'replaced' }
  | { readonly decision: 'appended'; readonly take: readonly number[] };

/** What people and models said, apart from the frame: system prompts, headings, notes of the app. */
interface Side {
  /** The messages by their words, and by their words and times where all of both conversations have times. */
  readonly words: readonly number[];
  readonly said: Units;
  /** The number of each message among all turns. */
  readonly numbers: readonly number[];
  readonly frame: ReadonlyMap<number, number>;
}

export const hasMessages = (conversation: Conversation): boolean =>
  conversation.turns.some((turn) => !isFrame(turn));

const isFrame = (turn: Turn): boolean => turn.role === 'system' || isLoose(turn);

const isTimed = ({ turns }: Conversation): boolean =>
  turns.every((turn) => isFrame(turn) || turn.at !== undefined);

function sideOf({ turns }: Conversation, timed: boolean): Side {
  const words: number[] = [];
  const keys: number[] = [];
  const lengths: number[] = [];
  const numbers: number[] = [];
  const frame = new Map<number, number>();
  for (const [i, turn] of turns.entries()) {
    const text = `${turn.role ?? ''}\n${turn.speaker ?? ''}\n${turn.text}`;
    const key = keyOf(text);
    if (isFrame(turn)) frame.set(key, i);
    else {
      words.push(key);
      keys.push(timed ? keyOf(`${turn.at}\n${text}`) : key);
      lengths.push(turn.text.length);
      numbers.push(i);
    }
  }
  return { words, said: { keys, lengths, starts: numbers }, numbers, frame };
}

export function planConversations(stored: Conversation, incoming: Conversation): ConversationPlan {
  const timed = isTimed(stored) && isTimed(incoming);
  const old = sideOf(stored, timed);
  const sent = sideOf(incoming, timed);
  const newFrame = [...sent.frame].filter(([key]) => !old.frame.has(key)).map(([, i]) => i);
  const beginning = commonBeginning(old.words, sent.words);
  const goesOn = beginning === old.words.length;
  if (goesOn || (isWithin(old.words, sent.words) && isSubstantial(old, old.words.length)))
    return planWhole(old, sent, newFrame, goesOn);
  return planPart(old, sent, newFrame, beginning);
}

/** All stored messages are in the incoming ones. */
function planWhole(old: Side, sent: Side, newFrame: readonly number[], goesOn: boolean): ConversationPlan {
  const known = old.words.length;
  const lost = [...old.frame.keys()].some((key) => !sent.frame.has(key));
  if (!lost && newFrame.length === 0 && goesOn && sent.words.length === known)
    return { decision: 'identical' };
  if (!lost) return { decision: 'superset' };
  // A changed system prompt makes it an edited whole; a history without the stored heading or note only goes on.
  return newFrame.length > 0 || !goesOn ? { decision: 'replaced' } : append(sent, known, newFrame);
}

function planPart(old: Side, sent: Side, newFrame: readonly number[], beginning: number): ConversationPlan {
  const count = sent.words.length;
  // An earlier state of the conversation, that arrived late.
  if (beginning === count && beginning >= SAME_BEGINNING) return append(sent, count, newFrame);
  const repeated = overlap(old.said.keys, sent.said.keys);
  if (repeated > 0 && (repeated < count || isSubstantial(sent, repeated)))
    return append(sent, repeated, newFrame);
  // Words said before may be said again, and replacing would only lose what else was said.
  if (isWithin(sent.words, old.words)) return append(sent, 0, newFrame);
  if (isEditedWhole(shareOf(old.said, sent.said))) return { decision: 'replaced' };
  return append(sent, beginning >= SAME_BEGINNING ? beginning : 0, newFrame);
}

/** The messages from `from` on, with what is new in the frame; nothing new: identical. */
function append(sent: Side, from: number, newFrame: readonly number[]): ConversationPlan {
  const take = [...newFrame, ...sent.numbers.slice(from)].sort((a, b) => a - b);
  return take.length === 0 ? { decision: 'identical' } : { decision: 'appended', take };
}

/** Enough to be sure that it is a repetition and not the same short word said twice. */
const isSubstantial = ({ said }: Side, count: number): boolean =>
  count >= SAME_BEGINNING || (said.lengths[0] ?? 0) >= REPEATED;
