// Explains why one id is not among the results of a search. An id outside the scope reads as one that does not exist.
import type { ExplainedId, ExplainedParts, RemovedBy } from '../../../../tools/search/schemas/explain.ts';
import type { Restriction, UnitKind } from '../../../adapters/store/ports/filters.ts';
import type { Named, RecallStore } from '../../../adapters/store/ports/memories/recall.ts';
import type { SearchStore } from '../../../adapters/store/ports/search.ts';
import type { Scope } from '../../../core/scope.ts';
import { type RestrictingFields, singleRestrictions } from '../query/restriction.ts';
import type { ResultExplainer } from './explain.ts';
import type { SearchStep, SearchTrace } from './trace.ts';

export interface WhyNotFoundContext {
  readonly store: SearchStore;
  readonly recall: RecallStore;
  readonly scope: Scope;
}

/** The restriction of each kind of candidates; null: the kind was not searched. */
export type SearchedRestrictions = Readonly<Record<UnitKind, Restriction | null>>;

export interface WhyNotFoundRequest {
  readonly id: string;
  readonly input: RestrictingFields & { searchMode: string };
  readonly restrictions: SearchedRestrictions;
  readonly trace: SearchTrace;
  readonly explain: ResultExplainer;
}

const UNKNOWN: RemovedBy = {
  step: 'unknown',
  reason: 'The search may see nothing with this id: it does not exist, or it has other container tags.',
};

/** The reason when a candidate does not pass the step. */
const REASONS: Readonly<Record<SearchStep, RemovedBy>> = {
  read: {
    step: 'found',
    reason: 'Neither its words nor its meaning are near enough to the query: others were read before it.',
  },
  found: {
    step: 'copy',
    reason: 'Another result says the same, or is a better part of the same message.',
  },
  threshold: { step: 'threshold', reason: 'Its similarity is below the threshold.' },
  documentThreshold: {
    step: 'documentThreshold',
    reason: 'No result of its document reaches documentThreshold.',
  },
  stated: {
    step: 'stated',
    reason:
      'A memory or a passage that states the same is shown in its place, or everything that it states was forgotten.',
  },
  window: { step: 'window', reason: 'It is already shown around another result.' },
  limit: { step: 'limit', reason: 'The limit is reached by results that come before it.' },
};

const namedNumbers = ({ chunks, memories }: Named): number[] => [...chunks, ...memories];

/** The numbers that the restrictions allow. */
const withinRestrictions = async (
  { store, recall, scope }: WhyNotFoundContext,
  { chunks, memories }: Named,
  restrictions: SearchedRestrictions,
): Promise<Set<number>> => {
  const { chunks: ofChunks, memories: ofMemories } = restrictions;
  const [passages, statements] = await Promise.all([
    ofChunks === null ? [] : store.passages(scope, ofChunks, chunks),
    ofMemories === null ? [] : recall.statements(scope, ofMemories, memories),
  ]);
  return new Set([...passages, ...statements].map(({ n }) => n));
};

/** The reason why a document has no candidates. */
const whyEmpty = ({ document }: Named): RemovedBy => {
  if (document?.step === 'failed')
    return {
      step: 'failed',
      reason: `The document failed: ${document.failure?.message ?? 'no reason is known'}`,
    };
  if (document !== null && document.step !== 'done')
    return { step: 'processing', reason: `The document is still being processed (${document.step}).` };
  return { step: 'empty', reason: 'The document holds no text that a search could find.' };
};

const whyMemoryExcluded = ({ memory }: Named, forgottenToo: boolean): RemovedBy[] => {
  if (memory === null) return [];
  return [
    ...(memory.isLatest ? [] : [{ step: 'version', reason: 'A later version replaced it.' } as const]),
    ...(memory.isForgotten && !forgottenToo
      ? [
          {
            step: 'forgotten',
            reason: 'It is forgotten or expired: include.forgottenMemories shows it.',
          } as const,
        ]
      : []),
    ...(memory.isDeclined ? [{ step: 'declined', reason: 'Somebody declined it.' } as const] : []),
  ];
};

const isOfKind = ({ chunks, memories }: Named, restrictions: SearchedRestrictions): boolean =>
  (chunks.length > 0 && restrictions.chunks !== null) ||
  (memories.length > 0 && restrictions.memories !== null);

/** The filters of the request that by themselves exclude the id. */
const excludingFilters = async (
  context: WhyNotFoundContext,
  request: WhyNotFoundRequest,
  named: Named,
): Promise<RemovedBy[]> => {
  const { input, restrictions } = request;
  const against: RemovedBy[] = [];
  for (const { field, keys, restriction } of singleRestrictions(input)) {
    const alone = {
      chunks: restrictions.chunks && restriction,
      memories: restrictions.memories && { ...restriction, units: 'memories' as const, forgotten: true },
    };
    const remaining = await withinRestrictions(context, named, alone);
    const onKeys = keys.length === 0 ? '' : ` on ${keys.join(', ')}`;
    if (remaining.size === 0) against.push({ step: field, reason: `It does not fit ${field}${onKeys}.` });
  }
  return against;
};

const whyRestricted = async (
  context: WhyNotFoundContext,
  request: WhyNotFoundRequest,
  named: Named,
): Promise<RemovedBy[]> => {
  const { input, restrictions } = request;
  if (!isOfKind(named, restrictions))
    return [
      { step: 'searchMode', reason: `searchMode ${input.searchMode} does not search what this id names.` },
    ];
  const against = [
    ...whyMemoryExcluded(named, restrictions.memories?.forgotten === true),
    ...(await excludingFilters(context, request, named)),
  ];
  if (against.length > 0) return against;
  return restrictions.chunks?.unspoken === true
    ? [
        {
          step: 'unspoken',
          reason:
            'In searchMode memories a passage is found only while no memory is drawn from its document, or where no memory answers.',
        },
      ]
    : [REASONS.read];
};

/** The first step that none of the candidates passed; null: some are shown. */
const stepThatRemoved = (ns: ReadonlySet<number>, { remaining: left }: SearchTrace): RemovedBy | null => {
  const all = [...ns];
  const lost = [...left].find(([, those]) => !all.some((n) => those.has(n)));
  return lost === undefined ? null : REASONS[lost[0]];
};

const bestParts = (ns: readonly number[], { explain }: WhyNotFoundRequest): ExplainedParts | null => {
  const all = ns.flatMap((n) => explain(n) ?? []);
  return all.sort((a, b) => b.similarity - a.similarity)[0] ?? null;
};

const whyRemoved = async (
  context: WhyNotFoundContext,
  request: WhyNotFoundRequest,
  named: Named,
): Promise<RemovedBy[]> => {
  if (namedNumbers(named).length === 0) return [whyEmpty(named)];
  const ns = await withinRestrictions(context, named, request.restrictions);
  if (ns.size === 0) return whyRestricted(context, request, named);
  const lost = stepThatRemoved(ns, request.trace);
  return lost === null ? [] : [lost];
};

export const whyNotFound = async (
  context: WhyNotFoundContext,
  request: WhyNotFoundRequest,
): Promise<ExplainedId> => {
  const { id } = request;
  const named = await context.recall.named(context.scope, id);
  if (named === null) return { id, kind: null, shown: false, removedBy: [UNKNOWN], best: null };
  const against = await whyRemoved(context, request, named);
  return {
    id,
    kind: named.kind,
    shown: against.length === 0,
    removedBy: against,
    best: bestParts(namedNumbers(named), request),
  };
};
