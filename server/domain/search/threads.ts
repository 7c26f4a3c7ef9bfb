// Documents that are messages of one thread follow each other like the turns of one conversation: their places are
// counted through, from the first of a run of them to the last.
import type { SearchStore } from '../../adapters/store/port.ts';
import type { ThreadPlace } from '../../adapters/store/thread-port.ts';
import type { Scope } from '../../lib/scope.ts';
import { LENDING_REACH } from './spread.ts';

export interface Place {
  /** Where the places are counted: a document, or the first of the documents of a run. */
  document: number;
  position: number;
}

export interface Threads {
  isMessage(document: number): boolean;
  /** What comes after it stands in another document. */
  endsDocument(document: number, position: number): boolean;
  /** Counted through the run that the document belongs to; itself where it belongs to none. */
  inRun(document: number, position: number): Place;
  /** The same back again; null: nothing stands there. */
  inDocument(place: Place): Place | null;
}

export const NO_THREADS: Threads = {
  isMessage: () => false,
  endsDocument: () => false,
  inRun: (document, position) => ({ document, position }),
  inDocument: (place) => place,
};

interface Member {
  document: number;
  run: number;
  start: number;
  messages: number;
}

/** The last member that starts at the position or before it. */
function memberAt(members: readonly Member[], position: number): Member | undefined {
  let low = 0;
  let high = members.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((members[middle]?.start ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return members[low - 1];
}

/** In the order of their threads, as the store gives them. */
export function readThreads(places: readonly ThreadPlace[]): Threads {
  if (places.length === 0) return NO_THREADS;
  const byDocument = new Map<number, Member>();
  const runs = new Map<number, Member[]>();
  for (const inThread of Map.groupBy(places, ({ thread }) => thread).values()) {
    const run = inThread[0]?.document ?? 0;
    let start = 0;
    const members = inThread.map(({ document, messages }) => {
      const member = { document, run, start, messages };
      start += messages;
      byDocument.set(document, member);
      return member;
    });
    runs.set(run, members);
  }
  return {
    isMessage: (document) => byDocument.has(document),
    endsDocument: (document, position) => byDocument.get(document)?.messages === position + 1,
    inRun(document, position) {
      const member = byDocument.get(document);
      return member ? { document: member.run, position: member.start + position } : { document, position };
    },
    inDocument(place) {
      const members = runs.get(place.document);
      if (!members) return place;
      const member = memberAt(members, place.position);
      const position = place.position - (member?.start ?? 0);
      return member && position < member.messages ? { document: member.document, position } : null;
    },
  };
}

/** The threads of these documents, as far around each of them as one message lends to others. */
export async function threadsAround(
  store: SearchStore,
  scope: Scope,
  documents: readonly number[],
): Promise<Threads> {
  const asked = [...new Set(documents)];
  return asked.length === 0 ? NO_THREADS : readThreads(await store.threads(scope, asked, LENDING_REACH));
}
