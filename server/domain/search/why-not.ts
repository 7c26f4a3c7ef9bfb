// What became of one id in a search: shown, or what kept it out. What the search may not see does not exist for it.
import type { ExplainedId, ExplainedParts, RemovedBy } from '../../../tools/shared/search-explain.ts';
import type { Restriction, SearchStore, Units } from '../../adapters/store/port.ts';
import type { Named, RecallStore } from '../../adapters/store/recall-port.ts';
import type { Scope } from '../../lib/scope.ts';
import { type Narrowing, narrowings } from './plan.ts';
import type { Step, Watch } from './watch.ts';

export interface WhyNotDeps {
  store: SearchStore;
  recall: RecallStore;
}

export interface AskedAbout {
  scope: Scope;
  id: string;
  input: Narrowing & { searchMode: string };
  /** What was searched of each kind; null: that kind was not. */
  restrictions: Readonly<Record<Units, Restriction | null>>;
  watch: Watch;
  partsOf: (n: number) => ExplainedParts | null;
}

const UNKNOWN: RemovedBy = {
  step: 'unknown',
  reason:
    'Nothing with this id is among what the search may see: there is none, or it has other container tags.',
};

/** Of a step that it did not pass. */
const REASONS: Readonly<Record<Step, RemovedBy>> = {
  read: {
    step: 'found',
    reason: 'Neither its words nor its meaning come near enough to the query: others were read before it.',
  },
  found: {
    step: 'copy',
    reason: 'Another result says the same, or is a better part of the same message.',
  },
  threshold: { step: 'threshold', reason: 'Its similarity is below the threshold.' },
  documentThreshold: {
    step: 'documentThreshold',
    reason: 'Nothing of its document reaches documentThreshold.',
  },
  stated: {
    step: 'stated',
    reason:
      'A memory or a passage that states the same is shown in its place, or all that it states was forgotten.',
  },
  window: { step: 'window', reason: 'It is shown already, around another result.' },
  limit: { step: 'limit', reason: 'As many results as were asked for come before it.' },
};

const unitsOf = ({ chunks, memories }: Named): number[] => [...chunks, ...memories];

/** Which of these the restriction leaves. */
async function surviving(
  { store, recall }: WhyNotDeps,
  scope: Scope,
  { chunks, memories }: Named,
  restrictions: AskedAbout['restrictions'],
): Promise<Set<number>> {
  const { chunks: ofChunks, memories: ofMemories } = restrictions;
  const [passages, statements] = await Promise.all([
    ofChunks === null ? [] : store.passages(scope, ofChunks, chunks),
    ofMemories === null ? [] : recall.statements(scope, ofMemories, memories),
  ]);
  return new Set([...passages, ...statements].map(({ n }) => n));
}

/** Why a document has nothing to be found. */
function emptiness({ document }: Named): RemovedBy {
  if (document?.step === 'failed')
    return {
      step: 'failed',
      reason: `The document failed: ${document.failure?.message ?? 'no reason is known'}`,
    };
  if (document !== null && document.step !== 'done')
    return { step: 'processing', reason: `The document is still being processed (${document.step}).` };
  return { step: 'empty', reason: 'The document holds no text that could be found.' };
}

function ofMemory({ memory }: Named, forgottenToo: boolean): RemovedBy[] {
  if (memory === null) return [];
  return [
    ...(memory.isLatest
      ? []
      : [{ step: 'version', reason: 'A later version of the memory took its place.' } as const]),
    ...(memory.isForgotten && !forgottenToo
      ? [
          {
            step: 'forgotten',
            reason: 'It is forgotten, or its time is over: include.forgottenMemories.',
          } as const,
        ]
      : []),
    ...(memory.isDeclined ? [{ step: 'declined', reason: 'Somebody declined it.' } as const] : []),
  ];
}

const isOfKind = ({ chunks, memories }: Named, restrictions: AskedAbout['restrictions']): boolean =>
  (chunks.length > 0 && restrictions.chunks !== null) ||
  (memories.length > 0 && restrictions.memories !== null);

/** Every filter of the request that by itself leaves nothing of it. */
async function filtersAgainst(deps: WhyNotDeps, asked: AskedAbout, named: Named): Promise<RemovedBy[]> {
  const { scope, input, restrictions } = asked;
  const against: RemovedBy[] = [];
  for (const { field, keys, restriction } of narrowings(input)) {
    const alone = {
      chunks: restrictions.chunks && restriction,
      memories: restrictions.memories && { ...restriction, units: 'memories' as const, forgotten: true },
    };
    const left = await surviving(deps, scope, named, alone);
    const which = keys.length === 0 ? '' : ` on ${keys.join(', ')}`;
    if (left.size === 0) against.push({ step: field, reason: `It does not fit ${field}${which}.` });
  }
  return against;
}

async function restrictedBy(deps: WhyNotDeps, asked: AskedAbout, named: Named): Promise<RemovedBy[]> {
  const { input, restrictions } = asked;
  if (!isOfKind(named, restrictions))
    return [
      { step: 'searchMode', reason: `searchMode ${input.searchMode} does not search what this id names.` },
    ];
  const against = [
    ...ofMemory(named, restrictions.memories?.forgotten === true),
    ...(await filtersAgainst(deps, asked, named)),
  ];
  if (against.length > 0) return against;
  return restrictions.chunks?.unspoken === true
    ? [
        {
          step: 'unspoken',
          reason:
            'In searchMode memories a passage is found only while no memory is drawn from its document.',
        },
      ]
    : [REASONS.read];
}

/** The first step that none of them passed; null: some are shown. */
function lostAt(ns: ReadonlySet<number>, { left }: Watch): RemovedBy | null {
  const all = [...ns];
  const lost = [...left].find(([, those]) => !all.some((n) => those.has(n)));
  return lost === undefined ? null : REASONS[lost[0]];
}

function bestOf(ns: readonly number[], { partsOf }: AskedAbout): ExplainedParts | null {
  const all = ns.flatMap((n) => partsOf(n) ?? []);
  return all.sort((a, b) => b.similarity - a.similarity)[0] ?? null;
}

async function removedBy(deps: WhyNotDeps, asked: AskedAbout, named: Named): Promise<RemovedBy[]> {
  if (unitsOf(named).length === 0) return [emptiness(named)];
  const ns = await surviving(deps, asked.scope, named, asked.restrictions);
  if (ns.size === 0) return restrictedBy(deps, asked, named);
  const lost = lostAt(ns, asked.watch);
  return lost === null ? [] : [lost];
}

export async function whyNot(deps: WhyNotDeps, asked: AskedAbout): Promise<ExplainedId> {
  const { scope, id } = asked;
  const named = await deps.recall.named(scope, id);
  if (named === null) return { id, kind: null, shown: false, removedBy: [UNKNOWN], best: null };
  const against = await removedBy(deps, asked, named);
  return {
    id,
    kind: named.kind,
    shown: against.length === 0,
    removedBy: against,
    best: bestOf(unitsOf(named), asked),
  };
}
