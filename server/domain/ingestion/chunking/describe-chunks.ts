// Adds the context to each chunk: the terms of the keyword index and the passage that is embedded.
import type { Passage } from '../../../adapters/embed/port.ts';
import type { StoredPassage } from '../../../adapters/store/ports/ingestion/backfill.ts';
import {
  endsInQuestion,
  FLAG,
  isAssistant,
  isConversation,
  isRoleChat,
} from '../../../core/chunks/chunk-flags.ts';
import { sha256 } from '../../../lib/hash.ts';
import { writtenDate } from '../../../lib/text/dates/format.ts';
import { analyse } from '../../../lib/text/terms/analyse.ts';
import { passageTerms } from '../../../lib/text/terms/passage-terms.ts';
import { encodeTerms } from '../../../lib/text/terms/terms.ts';
import type { ChunkDraft } from './chunk.ts';

/** The number of neighbouring messages on each side that give a message its context. */
export const NEIGHBOURS = 3;
/** The beginning of a neighbour that is enough to show its topic. */
const NEIGHBOUR_CHARACTERS = 1000;

export interface Described {
  draft: ChunkDraft;
  id: string;
  flags: number;
  /** The analysed words, joined by spaces. */
  body: string;
  extra: string;
  bodyTokens: number;
  messageTokens: number;
  terms: Uint8Array;
  passage: Passage;
}

const flagsOf = ({ flags }: ChunkDraft): number =>
  (flags.conversation ? FLAG.conversation : 0) |
  (flags.chat ? FLAG.chat : 0) |
  (flags.assistant ? FLAG.assistant : 0) |
  (flags.question ? FLAG.question : 0);

/** One text for each position, so that a neighbour is the whole message and not a piece of it. */
const messageTexts = (drafts: readonly { position: number; text: string }[]): Map<number, string> => {
  const messages = new Map<number, string>();
  for (const { position, text } of drafts) {
    const known = messages.get(position) ?? '';
    if (known.length < NEIGHBOUR_CHARACTERS)
      messages.set(
        position,
        known ? `${known} ${text}`.slice(0, NEIGHBOUR_CHARACTERS) : text.slice(0, NEIGHBOUR_CHARACTERS),
      );
  }
  return messages;
};

const neighbours = (
  messages: ReadonlyMap<number, string>,
  position: number,
  step: 1 | -1,
  count: number,
): string[] => {
  const found: string[] = [];
  for (let distance = 1; distance <= count; distance++) {
    const text = messages.get(position + step * distance);
    if (text === undefined) break;
    found.push(text);
  }
  return found;
};

/** A piece of a document needs no neighbours; a message is understood through them. */
const embeddedPassage = (
  draft: Pick<ChunkDraft, 'text' | 'title' | 'speaker' | 'date' | 'position' | 'flags'>,
  messages: ReadonlyMap<number, string>,
): Passage => {
  const reach = draft.flags.conversation ? NEIGHBOURS : 0;
  return {
    text: draft.text,
    ...(draft.title === undefined ? {} : { title: draft.title }),
    ...(draft.speaker === undefined || draft.flags.chat ? {} : { speaker: draft.speaker }),
    ...(draft.date === undefined ? {} : { date: writtenDate(draft.date) }),
    previous: neighbours(messages, draft.position, -1, reach),
    next: neighbours(messages, draft.position, 1, reach),
  };
};

/** The same text in the same document keeps its id when text is added around it. */
const identify = (documentId: string, drafts: number) => {
  const seen = new Map<string, number>();
  const ordinalOf = (key: string): number => {
    if (drafts === 1) return 0;
    const name = sha256(key);
    const ordinal = seen.get(name) ?? 0;
    seen.set(name, ordinal + 1);
    return ordinal;
  };
  return (draft: ChunkDraft): string => {
    const key = `${draft.speaker ?? draft.role ?? ''}\n${draft.text}`;
    const ordinal = ordinalOf(key);
    return sha256(`${documentId}\n${ordinal}\n${key}`).slice(0, 22);
  };
};

type Bare = Omit<Described, 'messageTokens'>;

const describeChunk = (draft: ChunkDraft, id: string, messages: ReadonlyMap<number, string>): Bare => {
  const { body, ...further } = passageTerms({ ...draft, isChat: draft.flags.chat });
  return {
    draft,
    id,
    flags: flagsOf(draft),
    // Joined here, while the terms are in the caches of the processor.
    body: body.join(' '),
    extra: Object.values(further).flat().join(' '),
    bodyTokens: body.length,
    terms: encodeTerms({ body, ...further }),
    passage: { ...embeddedPassage(draft, messages), terms: body },
  };
};

/** The number of words of each message, in all of its pieces. */
const countMessages = (pieces: Iterable<{ position: number; tokens: number }>): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const { position, tokens } of pieces) counts.set(position, (counts.get(position) ?? 0) + tokens);
  return counts;
};

function* countTokens(drafts: readonly ChunkDraft[]): Generator<{ position: number; tokens: number }> {
  for (const { position, text } of drafts) yield { position, tokens: analyse(text).length };
}

/**
 * The number of chunks per window. The data of a chunk take a multiple of its text. Several windows cost a second pass
 * over all texts, because the length of a message is known only after all of its pieces.
 */
export function* describeWindows(
  documentId: string,
  drafts: readonly ChunkDraft[],
  size: number,
): Generator<Described[]> {
  const messages = messageTexts(drafts);
  const idOf = identify(documentId, drafts.length);
  const counts = drafts.length > size ? countMessages(countTokens(drafts)) : null;
  for (let from = 0; from < drafts.length; from += size) {
    const window = drafts
      .slice(from, from + size)
      .map((draft) => describeChunk(draft, idOf(draft), messages));
    const tokens =
      counts ??
      countMessages(
        window.map(({ draft, bodyTokens }) => ({ position: draft.position, tokens: bodyTokens })),
      );
    yield window.map((chunk) => ({
      ...chunk,
      messageTokens: tokens.get(chunk.draft.position) ?? chunk.bodyTokens,
    }));
  }
}

export const describeChunks = (documentId: string, drafts: readonly ChunkDraft[]): Described[] =>
  [...describeWindows(documentId, drafts, Number.POSITIVE_INFINITY)].flat();

/** The context that an embedder gets with a passage; some embedders use only preceding text. */
export const seenBy = (context: 'both' | 'previous', passage: Passage): Passage =>
  context === 'both' ? passage : { ...passage, next: [] };

/** Equal inputs have equal vectors, so a vector is computed once within a document. */
export const inputHash = (passage: Passage): string =>
  sha256(
    JSON.stringify([
      passage.text,
      passage.title,
      passage.speaker,
      passage.date,
      passage.previous,
      passage.next,
    ]),
  ).slice(0, 32);

export type StoredPassages = (
  pieces: readonly StoredPassage[],
  wanted: ReadonlySet<number>,
  context: 'both' | 'previous',
) => { n: number; passage: Passage }[];

const draftOf = (piece: StoredPassage) => ({
  text: piece.text,
  position: piece.position,
  flags: {
    conversation: isConversation(piece.flags),
    chat: isRoleChat(piece.flags),
    assistant: isAssistant(piece.flags),
    question: endsInQuestion(piece.flags),
  },
  ...(piece.title === null ? {} : { title: piece.title }),
  ...(piece.speaker === null ? {} : { speaker: piece.speaker }),
  ...(piece.date === null ? {} : { date: piece.date }),
});

/** Stored chunks in the form in which they were first embedded. */
export const rebuildPassages: StoredPassages = (pieces, wanted, context) =>
  [...Map.groupBy(pieces, (piece) => piece.document).values()].flatMap((document) => {
    const messages = messageTexts(document);
    return document
      .filter((piece) => wanted.has(piece.n))
      .map((piece) => ({ n: piece.n, passage: seenBy(context, embeddedPassage(draftOf(piece), messages)) }));
  });
