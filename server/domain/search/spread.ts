// A chunk is understood through its neighbours: the words of one count a little in the others.
// Each text is indexed once, so this happens here, when a query is answered.
import { endsInQuestion, isAssistant, isRoleChat } from './flags.ts';

/** Shares of a turn's words in the turns after it, nearest first ("previous turn" as those turns see it). */
const IN_FOLLOWING = [0.5, 0.35, 0.245];
/** Shares in the turns before it. */
const IN_PRECEDING = [0.3, 0.21, 0.147];
/** How many turns away something is lent at the most. */
export const LENDING_REACH = Math.max(IN_FOLLOWING.length, IN_PRECEDING.length);
/** More for the turn after a question: the answer rarely repeats the question's words. */
const IN_ANSWER = 0.2;
/** Of an assistant's reply in the user's message: users ask for what they then are told at length. */
const IN_ASKED = 0.1;
/**
 * Of a user's message in the reply, and of an assistant's question in the answer, where these are documents of their own:
 * inside one document the window around a hit shows them. Recall of role chats sent message by message: 58.0 to 59.0.
 */
const IN_REPLY = 0.5;
/** Between neighbouring pieces of a document. */
const IN_PIECE = 0.1;
/** How much a long message's words are damped (b of BM25). */
const LENGTH_DAMPING = 0.5;

/** A message with its words that the query asks for; several matching parts of it are one. */
export interface Message {
  document: number;
  position: number;
  flags: number;
  tokens: number;
  words: Float64Array;
  /** What comes after it stands in another document. */
  endsDocument: boolean;
}

/** What the neighbours of one place lend it. */
export interface Lent {
  document: number;
  position: number;
  flags: number;
  words: Float64Array;
}

/** Positions of one document that a number can tell apart from the next document's. */
const POSITIONS = 2 ** 22;

export const placeKey = (document: number, position: number): number => document * POSITIONS + position;

function lendTo(
  lent: Map<number, Lent>,
  from: Message,
  position: number,
  flags: number,
  share: number,
): void {
  if (position < 0) return;
  const key = placeKey(from.document, position);
  let place = lent.get(key);
  if (!place) {
    place = { document: from.document, position, flags, words: new Float64Array(from.words.length) };
    lent.set(key, place);
  }
  for (let term = 0; term < from.words.length; term++) {
    place.words[term] = (place.words[term] ?? 0) + share * (from.words[term] ?? 0);
  }
}

function lendInDialogue(lent: Map<number, Lent>, message: Message, damping: number): void {
  for (const [distance, share] of IN_FOLLOWING.entries()) {
    const asked = distance === 0 && endsInQuestion(message.flags) ? IN_ANSWER : 0;
    lendTo(lent, message, message.position + distance + 1, message.flags, (share + asked) / damping);
  }
  for (const [distance, share] of IN_PRECEDING.entries()) {
    lendTo(lent, message, message.position - distance - 1, message.flags, share / damping);
  }
}

/** Bit 4, "assistant", off: what asked is the user's. And on: what replies is the assistant's. */
const asUser = (flags: number): number => flags & ~4;
const asAssistant = (flags: number): number => flags | 4;

function lendInChat(lent: Map<number, Lent>, message: Message, damping: number): void {
  const { position, flags, endsDocument } = message;
  const isReply = isAssistant(flags);
  if (isReply) lendTo(lent, message, position - 1, asUser(flags), IN_ASKED / damping);
  if (!endsDocument || (isReply && !endsInQuestion(flags))) return;
  lendTo(lent, message, position + 1, isReply ? asUser(flags) : asAssistant(flags), IN_REPLY / damping);
}

/**
 * What each place of a conversation is lent by its neighbours, by `placeKey`. A message that is a document of its own
 * and no conversation is one between people: only conversations say who plays a role.
 */
export function lendBetweenTurns(messages: Iterable<Message>, averageTokens: number): Map<number, Lent> {
  const lent = new Map<number, Lent>();
  for (const message of messages) {
    const damping = 1 - LENGTH_DAMPING + (LENGTH_DAMPING * message.tokens) / averageTokens;
    if (isRoleChat(message.flags)) lendInChat(lent, message, damping);
    else lendInDialogue(lent, message, damping);
  }
  return lent;
}

/** A piece of a document, with its words that the query asks for. */
export interface Piece {
  document: number;
  position: number;
  part: number;
  words: Float64Array;
  /** What it counts for so far: what neighbours lend is added here. */
  weights: Float64Array;
}

const adjoin = (a: Piece, b: Piece): boolean =>
  a.document === b.document &&
  (a.position === b.position ? b.part - a.part === 1 : b.position - a.position === 1 && b.part === 0);

function lendPiece(from: Float64Array, to: Float64Array): void {
  for (let term = 0; term < to.length; term++) to[term] = (to[term] ?? 0) + IN_PIECE * (from[term] ?? 0);
}

/** Neighbouring pieces lend each other; a piece without a matching word of its own is not worth finding this way. */
export function lendBetweenPieces(pieces: readonly Piece[]): void {
  const inOrder = pieces.toSorted(
    (a, b) => a.document - b.document || a.position - b.position || a.part - b.part,
  );
  for (const [index, piece] of inOrder.entries()) {
    const next = inOrder[index + 1];
    if (!next || !adjoin(piece, next)) continue;
    lendPiece(piece.words, next.weights);
    lendPiece(next.words, piece.weights);
  }
}
