// Turns the facts that a sender stated with the content into memories of its passages.
import type { StatementTraits } from '../../adapters/language-model/ports/memory-reader.ts';
import type { SubmittedFact } from '../../adapters/store/ports/documents.ts';
import type {
  GivenFacts,
  MemoryHarvest,
  MemoryJob,
  RelatedStatement,
  StatedPassage,
} from '../../adapters/store/ports/memories/remembering.ts';
import { createPace, finishInSlices, type Steps } from '../../lib/async/steps.ts';
import { analyse } from '../../lib/text/terms/analyse.ts';
import { heldTerms, wantedTerms } from '../../lib/text/terms/terms.ts';
import type { HarvestDeps } from './harvest.ts';
import { type NewStatement, prepareStatements } from './prepare-statements.ts';
import { filterBy } from './reading/guidance.ts';
import { createRelating } from './relating/relating.ts';

interface PlacedFact {
  fact: SubmittedFact;
  passage: StatedPassage;
}

const BODY = 0;

/** The words of the facts that each passage holds; a word that few passages hold tells more about the place. */
function* placeGivenFacts({ facts, passages }: GivenFacts): Steps<PlacedFact[]> {
  const terms = facts.map(({ memory }) => [...new Set(analyse(memory))]);
  const all = [...new Set(terms.flat())];
  const wanted = wantedTerms(all);
  const held: Set<string>[] = [];
  const passagesWith = new Map<string, number>();
  for (const passage of passages) {
    const own = new Set(
      heldTerms(passage.terms, wanted).flatMap(({ term, field }) =>
        field === BODY ? (all[term] ?? []) : [],
      ),
    );
    for (const term of own) passagesWith.set(term, (passagesWith.get(term) ?? 0) + 1);
    held.push(own);
    yield;
  }
  const placed: PlacedFact[] = [];
  for (const [at, fact] of facts.entries()) {
    const scores = held.map((own) =>
      (terms[at] ?? []).reduce(
        (sum, term) => sum + (own.has(term) ? 1 / (passagesWith.get(term) ?? 1) : 0),
        0,
      ),
    );
    const passage = passages[scores.indexOf(Math.max(...scores))];
    if (passage !== undefined) placed.push({ fact, passage });
    yield;
  }
  return placed;
}

const NO_TRAITS: Pick<StatementTraits, 'slot' | 'about'> = { slot: null, about: null };

const factStatement = (
  { fact: { memory, isStatic, forgetAfter }, passage }: PlacedFact,
  { reader }: HarvestDeps,
): NewStatement => {
  const { slot, about } = reader.describe?.(memory) ?? NO_TRAITS;
  return {
    memory,
    isStatic,
    isInference: false,
    slot,
    about,
    forgetAfter,
    forgetReason: null,
    metadata: null,
    documentDate: passage.date,
    eventDates: [],
  };
};

/** Exclusions of the organisation apply to facts as well. */
const wantedFacts = async (
  { guidance }: HarvestDeps,
  { entityContext }: MemoryJob,
  given: GivenFacts,
): Promise<GivenFacts> => {
  const { drops } = filterBy({ ...(await guidance()), entityContext }, () => []);
  return { ...given, facts: given.facts.filter(({ memory }) => !drops(memory)) };
};

export const harvestFacts = async (
  deps: HarvestDeps,
  job: MemoryJob,
  given: GivenFacts,
  signal: AbortSignal,
): Promise<MemoryHarvest> => {
  const pace = createPace({ signal });
  const placed = await finishInSlices(placeGivenFacts(await wantedFacts(deps, job, given)), pace);
  const statements = placed.map((one) => factStatement(one, deps));
  const related = statements.map(
    (statement): RelatedStatement => ({
      ...statement,
      saidAt: statement.documentDate,
      heardAt: job.heardAt,
    }),
  );
  const relating = createRelating(deps.reader);
  const { slots, abouts } = relating.wanted(related);
  return {
    // Facts are stated about the passages and not in their order.
    job: { ...job, below: [] },
    passages: given.passages,
    prepared: await prepareStatements(statements, deps.spaces(), signal),
    chunks: placed.map(({ passage }) => [passage.id]),
    wanted: { slots, abouts, ids: placed.flatMap(({ fact }) => fact.replaces ?? []) },
    relationsOf: async (known) => {
      const relations = related.length === 0 ? [] : relating.relate(related, known);
      return placed.map(({ fact }, at) => {
        const found = relations[at] ?? [];
        if (fact.replaces === null) return found;
        const replaces = { kind: 'replaces' as const, to: { known: fact.replaces } };
        return [replaces, ...found.filter(({ kind }) => kind !== 'updatedBy')];
      });
    },
  };
};
