// What a document consists of after everything that was sent for it, in the order in which it came.
// What cannot be read is never joined with what can: it is left out, or gives way to what comes.
import type { Claim } from '../../adapters/store/ingest-port.ts';
import { IngestError } from '../../errors.ts';
import { unixLines } from './lines.ts';
import { type Merged, merge } from './merge.ts';
import { planPages } from './merging/pages.ts';
import { type Part, partOf, storedParts, textPart } from './parts.ts';
import type { PartReader } from './reading.ts';

export type Decision = Merged['decision'] | 'unreadable';

export interface Gathered {
  parts: readonly Part[];
  /** The address that was sent last, also when its text came in another way. */
  url: string | null;
  /** Why nothing of this can be read. */
  trouble: IngestError | null;
  /** Why what came last was left out. */
  refused: IngestError | null;
  decisions: { submission: number; decision: Decision }[];
}

type State = Omit<Gathered, 'decisions'>;
type Step = { state: State; decision: Decision };

const alone = (part: Part, url: string | null, trouble: IngestError | null): State => ({
  parts: [part],
  url,
  trouble,
  refused: null,
});

/** What was read takes the place of the file or the address that it was read from. */
const afterReading = async (part: Part, url: string | null, reader: PartReader): Promise<Part> =>
  part.kind === 'file' || part.kind === 'url' ? ((await reader.read(part, url)).becomes ?? part) : part;

/** Several parts, or chunks of this very page, are there because it was read before: should it fail now, it is not given up. */
const stored = async (claim: Claim, replaced: boolean, reader: PartReader): Promise<State> => {
  const parts = storedParts(claim);
  const [only, ...others] = parts;
  const known = others.length > 0 || (only?.kind === 'html' && claim.chunks.length > 0 && !replaced);
  const trouble = only === undefined || known ? null : await reader.trouble(only, claim.url);
  const read =
    only === undefined || known || trouble !== null ? parts : [await afterReading(only, claim.url, reader)];
  return { parts: read, url: claim.url, trouble, refused: null };
};

/** A page, or what was read from a file or an address: compared with its like as a whole. */
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

/** There is one text, however many came: a conversation goes on, whatever pages were sent in between. */
const joinText = (state: State, { content }: Part): Step => {
  const { parts } = state;
  const text = parts.find(({ kind }) => kind === 'text');
  if (text === undefined)
    return { state: { ...state, parts: [...parts, textPart(content)] }, decision: 'appended' };
  const merged = merge(text.content, content);
  if (merged.decision === 'identical') return { state, decision: merged.decision };
  const part = textPart(merged.text);
  return {
    state: { ...state, parts: parts.map((each) => (each === text ? part : each)) },
    decision: merged.decision,
  };
};

const leftOut = (trouble: IngestError): IngestError =>
  new IngestError(trouble.code, `${trouble.message} What was sent before is kept.`, {
    retryable: trouble.retryable,
    cause: trouble,
  });

const take = async (state: State, content: string, reader: PartReader): Promise<Step> => {
  if (content.trim() === '') return { state, decision: 'identical' };
  const part = partOf(content);
  const trouble = await reader.trouble(part, state.url);
  const decision = trouble === null ? 'replaced' : 'unreadable';
  const url = part.kind === 'url' ? content.trim() : state.url;
  const read = trouble === null ? await afterReading(part, url, reader) : part;
  if (state.trouble !== null) return { state: alone(read, url, trouble), decision };
  if (trouble !== null) return { state: { ...state, refused: leftOut(trouble) }, decision };
  const readable = { ...state, url, refused: null };
  return isPage(read) ? joinPage(readable, read, reader) : joinText(readable, read);
};

/** A replacement is the stored content already; what came before it is gone. */
export const gather = async (claim: Claim, reader: PartReader): Promise<Gathered> => {
  const last = claim.submissions.findLastIndex(({ mode }) => mode === 'replace');
  let state = await stored(claim, last >= 0, reader);
  const unreadable = state.trouble !== null;
  const decisions: Gathered['decisions'] = [];
  for (const [i, { n, content }] of claim.submissions.entries()) {
    if (i <= last) {
      decisions.push({ submission: n, decision: i === last && unreadable ? 'unreadable' : 'replaced' });
      continue;
    }
    const step = await take(state, content, reader);
    state = step.state;
    decisions.push({ submission: n, decision: step.decision });
  }
  return { ...state, decisions };
};
