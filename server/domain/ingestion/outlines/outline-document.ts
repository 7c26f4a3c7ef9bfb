// Draws the title and the summary that a document is shown with. Neither is searched: passages keep the titles that their
// text states.
import type { Claim } from '../../../adapters/store/ports/ingestion/claims.ts';
import type { OutlineJob } from '../../../adapters/store/ports/ingestion/outlines.ts';
import { isConversation } from '../../../core/chunks/chunk-flags.ts';
import { drawOutline, NO_OUTLINE, type Outline } from '../../../lib/text/outline/draw-outline.ts';
import type { OutlinePiece } from '../../../lib/text/outline/outline-text.ts';
import type { ChunkDraft } from '../chunking/chunk.ts';
import type { Part } from '../content/content-parts.ts';
import type { Parsed } from '../content/parse-content.ts';
import { withoutExtension } from '../content/part-reader.ts';

/** The words that stand for a call of a tool in a message. */
const TOOL_CALLS = /\[tool call: [^\]\n]{0,200}\]/g;

interface Passage {
  readonly text: string;
  readonly role: string | null;
  readonly speaker: string | null;
  readonly conversation: boolean;
}

const pieceOf = ({ text, role, speaker, conversation }: Passage): OutlinePiece => {
  const isMessage = conversation && (role ?? speaker) !== null;
  return { text: isMessage ? text.replace(TOOL_CALLS, '') : text, role, isMessage };
};

const pieceOfDraft = ({ text, role, speaker, flags }: ChunkDraft): OutlinePiece =>
  pieceOf({ text, role: role ?? null, speaker: speaker ?? null, conversation: flags.conversation });

/** A virtual path is shown beside the title, so its last part is a title only where the text gives none. */
const nameInPath = (path: string | null): string | null =>
  path === null ? null : (withoutExtension(path.slice(path.lastIndexOf('/') + 1)) ?? null);

/** The name of a file is the title of its passages where it states none. */
const isName = (title: string, reading: Part['reading']): boolean =>
  reading?.title === undefined && reading?.name === title;

interface ReadParts {
  readonly parts: readonly Part[];
  /** One for each part; none if the content could not be read. */
  readonly parsed: readonly Parsed[];
  readonly drafts: readonly ChunkDraft[];
}

type OutlinedClaim = Pick<Claim, 'filepath' | 'file'>;

/** By the name of its file, somebody knows what could not be read. */
const unreadOutline = ({ file, filepath }: OutlinedClaim): Outline =>
  file === null
    ? NO_OUTLINE
    : drawOutline({
        ...{ pieces: [], stated: null, otherName: nameInPath(filepath) },
        fileName: withoutExtension(file.name) ?? file.name,
      });

export const outlineDocument = (claim: OutlinedClaim, { parts, parsed, drafts }: ReadParts): Outline => {
  if (parsed.length === 0) return unreadOutline(claim);
  const stated = parsed.flatMap(({ title }, at) =>
    title === undefined || isName(title, parts[at]?.reading) ? [] : [title],
  );
  return drawOutline({
    pieces: drafts.map(pieceOfDraft),
    stated: stated[0] ?? null,
    fileName: parts.find(({ reading }) => reading?.name !== undefined)?.reading?.name ?? null,
    otherName: nameInPath(claim.filepath),
  });
};

/** The same from what is stored: for documents of earlier releases. */
export const outlineStored = ({ title, reading, filepath, passages, content }: OutlineJob): Outline => {
  const pieces = passages.map(({ flags, ...passage }) =>
    pieceOf({ ...passage, conversation: isConversation(flags) }),
  );
  return drawOutline({
    pieces: content === null ? pieces : [{ text: content, role: null, isMessage: false }],
    stated: title !== null && title === reading.name && reading.title === null ? null : title,
    fileName: reading.name,
    otherName: nameInPath(filepath),
  });
};
