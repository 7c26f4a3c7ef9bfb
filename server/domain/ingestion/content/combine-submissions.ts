// Combines all submissions of a document, in order of arrival, into its parts.
// Unreadable content is never joined with readable content: it is left out with a note, or replaced by what comes next.
import type { Claim } from '../../../adapters/store/ports/ingestion/claims.ts';
import { IngestError } from '../../../core/errors.ts';
import { unixLines } from '../../../lib/text/lines.ts';
import { type Merged, mergeTexts } from '../resend/merge.ts';
import { planPages } from '../resend/plan-pages.ts';
import { type Part, storedParts, textPart, toPart } from './content-parts.ts';
import type { PartReader } from './part-reader.ts';

export type GatherDecision = Merged['decision'] | 'unreadable';

export interface CombinedSubmissions {
  parts: readonly Part[];
  /** The address that was sent last, even if its text was sent as well. */
  url: string | null;
  /** The reason why nothing of the content can be read. */
  trouble: IngestError | null;
  /** The reason why the last submission was skipped. */
  refused: IngestError | null;
  decisions: { submission: number; decision: GatherDecision; leftOut?: string }[];
}

type State = Omit<CombinedSubmissions, 'decisions'>;
type Step = { state: State; decision: GatherDecision; leftOut?: string };

const onlyPart = (part: Part, url: string | null, trouble: IngestError | null): State => ({
  parts: [part],
  url,
  trouble,
  refused: null,
});

/** The extracted text replaces the file or the address. */
const afterReading = async (part: Part, url: string | null, reader: PartReader): Promise<Part> =>
  part.kind === 'file' || part.kind === 'url' ? ((await reader.read(part, url)).becomes ?? part) : part;

/** Several parts, or chunks of this page, prove an earlier successful reading: a failure now does not discard the page. */
const storedState = async (claim: Claim, replaced: boolean, reader: PartReader): Promise<State> => {
  const parts = storedParts(claim);
  const [only, ...others] = parts;
  const known = others.length > 0 || (only?.kind === 'html' && claim.chunks.length > 0 && !replaced);
  const trouble = only === undefined || known ? null : await reader.trouble(only, claim.url);
  const read =
    only === undefined || known || trouble !== null ? parts : [await afterReading(only, claim.url, reader)];
  return { parts: read, url: claim.url, trouble, refused: null };
};

/** A page or an extracted text is compared as a whole with others of its kind. */
const isPage = ({ kind }: Part): boolean => kind === 'html' || kind === 'read';

const joinPage = async (state: State, page: Part, reader: PartReader): Promise<Step> => {
  const { parts, url } = state;
  const textOf = async (part: Part) => unixLines((await reader.read(part, url)).text);
  const pages = parts.filter(isPage);
  const { decision, covered } = planPages(await Promise.all(pages.map(textOf)), await textOf(page));
  if (decision === 'identical') return { state, decision };
  if (decision === 'appended') return { state: { ...state, parts: [...parts, page] }, decision };
  const [first, ...others] = covered.map((i) => pages[i]);
  const left = parts.filter((part) => !others.includes(part)).map((part) => (part === first ? page : part));
  return { state: { ...state, parts: left }, decision };
};

/** A document has one text part: a conversation continues even if pages were sent in between. */
const joinText = (state: State, { content }: Part): Step => {
  const { parts } = state;
  const text = parts.find(({ kind }) => kind === 'text');
  if (text === undefined)
    return { state: { ...state, parts: [...parts, textPart(content)] }, decision: 'appended' };
  const merged = mergeTexts(text.content, content);
  if (merged.decision === 'identical') return { state, decision: merged.decision };
  const part = textPart(merged.text);
  return {
    state: { ...state, parts: parts.map((each) => (each === text ? part : each)) },
    decision: merged.decision,
  };
};

const withKeptNotice = (trouble: IngestError): IngestError =>
  new IngestError(trouble.code, `${trouble.message} What was sent before is kept.`, {
    retryable: trouble.retryable,
    cause: trouble,
  });

const LONGEST_ADDRESS = 200;

const unreadNote = ({ kind, content }: Part, { message }: IngestError): string => {
  const what = kind === 'url' ? content.trim().slice(0, LONGEST_ADDRESS) : 'Something that was sent later';
  return `${what} could not be read and was left out: ${message}`;
};

const take = async (state: State, content: string, reader: PartReader): Promise<Step> => {
  if (content.trim() === '') return { state, decision: 'identical' };
  const part = toPart(content);
  const trouble = await reader.trouble(part, state.url);
  const decision = trouble === null ? 'replaced' : 'unreadable';
  const url = part.kind === 'url' ? content.trim() : state.url;
  const read = trouble === null ? await afterReading(part, url, reader) : part;
  if (state.trouble !== null) return { state: onlyPart(read, url, trouble), decision };
  if (trouble !== null)
    return {
      state: { ...state, refused: withKeptNotice(trouble) },
      decision,
      leftOut: unreadNote(part, trouble),
    };
  const readable = { ...state, url, refused: null };
  return isPage(read) ? joinPage(readable, read, reader) : joinText(readable, read);
};

/** A replacement is already the stored content; earlier submissions no longer count. */
export const combineSubmissions = async (claim: Claim, reader: PartReader): Promise<CombinedSubmissions> => {
  const last = claim.submissions.findLastIndex(({ mode }) => mode === 'replace');
  let state = await storedState(claim, last >= 0, reader);
  const unreadable = state.trouble !== null;
  const decisions: CombinedSubmissions['decisions'] = [];
  for (const [i, { n, content }] of claim.submissions.entries()) {
    if (i <= last) {
      decisions.push({ submission: n, decision: i === last && unreadable ? 'unreadable' : 'replaced' });
      continue;
    }
    const { state: next, ...decided } = await take(state, content, reader);
    state = next;
    decisions.push({ submission: n, ...decided });
  }
  return { ...state, decisions };
};
