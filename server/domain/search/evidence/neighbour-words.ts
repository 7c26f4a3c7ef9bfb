// A chunk is understood through its neighbours, so the words of one count a little in the others. Each text is indexed
// once, and the shares are computed when a query is answered.
import { endsInQuestion, isAssistant, isRoleChat } from '../../../core/chunks/chunk-flags.ts';

/** Shares of a turn's words in the turns after it, nearest first. */
const IN_FOLLOWING = [0.5, 0.35, 0.245];
/** Shares in the turns before it. */
const IN_PRECEDING = [0.3, 0.21, 0.147];
/** The largest distance, in turns, over which words are shared. */
export const NEIGHBOUR_REACH = Math.max(IN_FOLLOWING.length, IN_PRECEDING.length);
/** Added for the turn after a question: the answer rarely repeats the question's words. */
const IN_ANSWER = 0.2;
/** Share of an assistant's reply in the user's message: the reply explains at length what the user asked for. */
const IN_ASKED = 0.1;
/**
 * Share of a user's message in the reply, and of an assistant's question in the answer, where these are documents of their
 * own: inside one document the window around a hit shows them. Recall of role chats sent message by message: 58.0 to 59.0.
 */
const IN_REPLY = 0.5;
/** Share between neighbouring pieces of a document. */
const IN_PIECE = 0.1;
/** Damping of the words of a long message (b of BM25). */
const LENGTH_DAMPING = 0.5;

/** A message with its words that the query contains; several matching parts of it are one. */
export interface MatchedMessage {
  document: number;
  position: number;
  flags: number;
  tokens: number;
  words: Float64Array;
  /** The next message belongs to another document. */
  endsDocument: boolean;
}

/** The words that the neighbours of one position share with it. */
export interface NeighbourWords {
  document: number;
  position: number;
  flags: number;
  words: Float64Array;
}

/** More positions than any document has, so that a key tells documents apart. */
const POSITIONS = 2 ** 22;

export const positionKey = (document: number, position: number): number => document * POSITIONS + position;

type SharedWords = Map<number, NeighbourWords>;

/** The target of one share: the position, its flags as the neighbours see them, and the share. */
interface ShareTarget {
  position: number;
  flags: number;
  share: number;
}

const addShare = (
  shared: SharedWords,
  from: MatchedMessage,
  { position, flags, share }: ShareTarget,
): void => {
  if (position < 0) return;
  const key = positionKey(from.document, position);
  let target = shared.get(key);
  if (!target) {
    target = { document: from.document, position, flags, words: new Float64Array(from.words.length) };
    shared.set(key, target);
  }
  for (let term = 0; term < from.words.length; term++) {
    target.words[term] = (target.words[term] ?? 0) + share * (from.words[term] ?? 0);
  }
};

const shareInDialogue = (shared: SharedWords, message: MatchedMessage, damping: number): void => {
  const { position, flags } = message;
  for (const [distance, share] of IN_FOLLOWING.entries()) {
    const inAnswer = distance === 0 && endsInQuestion(flags) ? IN_ANSWER : 0;
    const target = { position: position + distance + 1, flags, share: (share + inAnswer) / damping };
    addShare(shared, message, target);
  }
  for (const [distance, share] of IN_PRECEDING.entries()) {
    addShare(shared, message, { position: position - distance - 1, flags, share: share / damping });
  }
};

/** Bit 4 is "assistant": the neighbour of an assistant's message is the user's, and the reverse. */
const asUser = (flags: number): number => flags & ~4;
const asAssistant = (flags: number): number => flags | 4;

const shareInRoleChat = (shared: SharedWords, message: MatchedMessage, damping: number): void => {
  const { position, flags, endsDocument } = message;
  const isReply = isAssistant(flags);
  if (isReply) {
    addShare(shared, message, { position: position - 1, flags: asUser(flags), share: IN_ASKED / damping });
  }
  if (!endsDocument || (isReply && !endsInQuestion(flags))) return;
  addShare(shared, message, {
    position: position + 1,
    flags: isReply ? asUser(flags) : asAssistant(flags),
    share: IN_REPLY / damping,
  });
};

/**
 * The words that each position of a conversation gets from its neighbours, by `positionKey`. A message that is a document
 * of its own and no conversation counts as one between people: only conversations name the role of a speaker.
 */
export const shareBetweenTurns = (messages: Iterable<MatchedMessage>, averageTokens: number): SharedWords => {
  const shared: SharedWords = new Map();
  for (const message of messages) {
    const damping = 1 - LENGTH_DAMPING + (LENGTH_DAMPING * message.tokens) / averageTokens;
    if (isRoleChat(message.flags)) shareInRoleChat(shared, message, damping);
    else shareInDialogue(shared, message, damping);
  }
  return shared;
};

/** A piece of a document, with its words that the query contains. */
export interface MatchedPiece {
  document: number;
  position: number;
  part: number;
  words: Float64Array;
  /** The weight of each term so far; the shares of the neighbours are added to it. */
  weights: Float64Array;
}

const areConsecutivePieces = (a: MatchedPiece, b: MatchedPiece): boolean =>
  a.document === b.document &&
  (a.position === b.position ? b.part - a.part === 1 : b.position - a.position === 1 && b.part === 0);

const addPieceShare = (from: Float64Array, to: Float64Array): void => {
  for (let term = 0; term < to.length; term++) to[term] = (to[term] ?? 0) + IN_PIECE * (from[term] ?? 0);
};

/** Neighbouring pieces share their words; a piece without a matching word of its own is not found through them. */
export const shareBetweenPieces = (pieces: readonly MatchedPiece[]): void => {
  const inOrder = pieces.toSorted(
    (a, b) => a.document - b.document || a.position - b.position || a.part - b.part,
  );
  for (const [index, piece] of inOrder.entries()) {
    const next = inOrder[index + 1];
    if (!next || !areConsecutivePieces(piece, next)) continue;
    addPieceShare(piece.words, next.weights);
    addPieceShare(next.words, piece.weights);
  }
};
