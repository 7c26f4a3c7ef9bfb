// What becomes of a conversation when messages are sent for it: compared message by message.
import { type Conversation, isLoose, type Turn } from '../conversation/turn.ts';
import { isEditedWhole, REPEATED, SAME_BEGINNING } from './rules.ts';
import { commonBeginning, isWithin, keyOf, overlap, shareOf, type Units } from './units.ts';

/** `take`: the incoming turns that are new. */
export type ConversationPlan =
  | { readonly decision: 'identical' | 'superset' | 'replaced' }
  | { readonly decision: 'appended'; readonly take: readonly number[] };

/** What people and models said, apart from the frame: system prompts, headings, notes of the app. */
interface Sides {
  readonly said: Units;
  readonly turns: readonly Turn[];
  /** The number of each said message among all turns. */
  readonly numbers: readonly number[];
  readonly frame: ReadonlyMap<number, number>;
}

export const hasMessages = (conversation: Conversation): boolean =>
  conversation.turns.some((turn) => !isFrame(turn));

const isFrame = (turn: Turn): boolean => turn.role === 'system' || isLoose(turn);

function sidesOf({ turns }: Conversation): Sides {
  const keys: number[] = [];
  const lengths: number[] = [];
  const numbers: number[] = [];
  const frame = new Map<number, number>();
  for (const [i, turn] of turns.entries()) {
    const key = keyOf(`${turn.role ?? ''}\n${turn.speaker ?? ''}\n${turn.text}`);
    if (isFrame(turn)) frame.set(key, i);
    else {
      keys.push(key);
      lengths.push(turn.text.length);
      numbers.push(i);
    }
  }
  return { said: { keys, lengths, starts: numbers }, turns, numbers, frame };
}

export function planConversations(stored: Conversation, incoming: Conversation): ConversationPlan {
  const old = sidesOf(stored);
  const sent = sidesOf(incoming);
  const lostFrame = [...old.frame.keys()].some((key) => !sent.frame.has(key));
  const newFrame = [...sent.frame].filter(([key]) => !old.frame.has(key)).map(([, i]) => i);
  const beginning = commonBeginning(old.said.keys, sent.said.keys);
  const append = (from: number): ConversationPlan => takeFrom(sent, from, newFrame);

  const goesOn = beginning === old.numbers.length;
  if (goesOn || (isWithin(old.said.keys, sent.said.keys) && isSubstantial(old, old.numbers.length))) {
    if (!lostFrame)
      return {
        decision: goesOn && sameLength(old, sent) && newFrame.length === 0 ? 'identical' : 'superset',
      };
    // A changed system prompt makes it an edited whole; a history without the stored heading or note only goes on.
    return newFrame.length > 0 || !goesOn ? { decision: 'replaced' } : append(beginning);
  }
  // An earlier state of the conversation, that arrived late.
  if (beginning === sent.numbers.length && beginning >= SAME_BEGINNING) return append(beginning);
  const repeated = timesAgree(old, sent, overlap(old.said.keys, sent.said.keys));
  if (repeated > 0 && (repeated < sent.numbers.length || isSubstantial(sent, repeated)))
    return append(repeated);
  // Words said before may be said again, and replacing would only lose what else was said.
  if (isWithin(sent.said.keys, old.said.keys)) return append(0);
  if (isEditedWhole(shareOf(old.said, sent.said))) return { decision: 'replaced' };
  return append(beginning >= SAME_BEGINNING ? beginning : 0);
}

const sameLength = (a: Sides, b: Sides): boolean => a.numbers.length === b.numbers.length;

/** The messages from `from` on, with what is new in the frame; nothing new: identical. */
function takeFrom(sent: Sides, from: number, newFrame: readonly number[]): ConversationPlan {
  const take = [...newFrame, ...sent.numbers.slice(from)].sort((a, b) => a - b);
  return take.length === 0 ? { decision: 'identical' } : { decision: 'appended', take };
}

/** Two messages of equal words that were said at different times are two messages. */
function timesAgree(old: Sides, sent: Sides, count: number): number {
  const first = old.numbers.length - count;
  for (let i = 0; i < count; i++) {
    const a = old.turns[old.numbers[first + i] ?? -1]?.at;
    const b = sent.turns[sent.numbers[i] ?? -1]?.at;
    if (a !== undefined && b !== undefined && a !== b) return 0;
  }
  return count;
}

/** Enough to be sure that it is a repetition and not the same short word said twice. */
const isSubstantial = ({ said }: Sides, count: number): boolean =>
  count >= SAME_BEGINNING || (said.lengths[0] ?? 0) >= REPEATED;
