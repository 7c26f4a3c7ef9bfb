// From a claimed document to the chunks it should have: merge what was sent, extract, parse, cut.
import type { Extractor } from '../../adapters/extract/port.ts';
import type { Claim } from '../../adapters/store/ingest-port.ts';
import { IngestError } from '../../errors.ts';
import { sha256 } from '../../lib/hash.ts';
import { parseDate } from '../../lib/text/dates.ts';
import { type ChunkDraft, chunk } from './chunk.ts';
import { merge } from './merge.ts';
import { parse } from './parse.ts';
import { type ContentKind, recognise } from './recognise.ts';

export interface Prepared {
  claim: Claim;
  content: string;
  contentHash: string;
  title: string | null;
  date: number | null;
  decisions: { submission: number; decision: string }[];
  drafts: ChunkDraft[];
}

interface Merged {
  content: string;
  decisions: Prepared['decisions'];
}

/** What was sent since, in the order in which it came. */
export const mergeSubmissions = (claim: Claim): Merged => {
  let content = claim.content;
  const decisions: Prepared['decisions'] = [];
  for (const { n, mode, content: incoming } of claim.submissions) {
    const merged = merge(content, incoming, { replace: mode === 'replace' });
    content = merged.text;
    decisions.push({ submission: n, decision: merged.decision });
  }
  return { content, decisions };
};

const DATE_KEYS = ['documentDate', 'date', 'sessionDate', 'timestamp'] as const;

/** A date that the sender stated; nothing is guessed from when it arrived. */
const statedDate = (claim: Claim): number | undefined => {
  for (const key of DATE_KEYS) {
    const value = claim.metadata?.[key];
    const date = typeof value === 'string' ? parseDate(value) : null;
    if (date !== null) return date;
  }
  return undefined;
};

const refuse = (kind: ContentKind): void => {
  if (kind === 'url')
    throw new IngestError(
      'url_not_supported',
      'This content is a web address, and reading web pages is not built yet. ' +
        'Send the text or the HTML of the page; or send this again once web pages can be read.',
    );
  if (kind === 'binary')
    throw new IngestError(
      'unsupported_type',
      'This content is not text: it holds control characters, as files do. Send its text instead.',
    );
};

/** Whether reading this needs the child process, and so takes its time. */
export const needsExtraction = (claim: Claim): boolean => recognise(claim.content) === 'html';

/** `chunking` is told when the text is there, and how long it is. */
export const prepare = async (
  claim: Claim,
  extractor: Extractor,
  signal: AbortSignal,
  chunking: (claim: Claim, characters: number) => Promise<void>,
): Promise<Prepared> => {
  const { content, decisions } = mergeSubmissions(claim);
  const kind = recognise(content);
  refuse(kind);
  const extracted =
    kind === 'html'
      ? await extractor.extract(
          { kind: 'html', text: content, ...(claim.url ? { url: claim.url } : {}) },
          signal,
        )
      : { text: content };
  await chunking(claim, extracted.text.length);
  const title = claim.title ?? ('title' in extracted ? extracted.title : undefined);
  const date = statedDate(claim);
  const parsed = parse(extracted.text, {
    kind,
    ...(title === undefined ? {} : { title }),
    ...(date === undefined ? {} : { date }),
  });
  return {
    claim,
    content,
    contentHash: sha256(content),
    title: parsed.title ?? null,
    date: parsed.date ?? null,
    decisions,
    drafts: chunk(parsed),
  };
};
