// Documents that are messages of one thread follow each other like the turns of one conversation. Their positions are
// counted through a run of such documents, from the first to the last.
import type { ThreadPlace } from '../../../adapters/store/ports/threads.ts';
import type { ScopedStore } from '../scoped-store.ts';
import { NEIGHBOUR_REACH } from './neighbour-words.ts';

export interface ThreadPosition {
  /** The document in which positions are counted: the first document of a run. */
  document: number;
  position: number;
}

export interface Threads {
  isMessage(document: number): boolean;
  /** True: the next message belongs to another document. */
  endsDocument(document: number, position: number): boolean;
  /** The position in the run of the document; unchanged where the document belongs to no run. */
  inRun(document: number, position: number): ThreadPosition;
  /** The reverse of `inRun`; null: the run holds nothing at this position. */
  inDocument(position: ThreadPosition): ThreadPosition | null;
}

export const NO_THREADS: Threads = {
  isMessage: () => false,
  endsDocument: () => false,
  inRun: (document, position) => ({ document, position }),
  inDocument: (position) => position,
};

interface ThreadMember {
  document: number;
  run: number;
  start: number;
  messages: number;
}

/** The last member that starts at the position or before it. */
const threadMemberAt = (members: readonly ThreadMember[], position: number): ThreadMember | undefined => {
  let low = 0;
  let high = members.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((members[middle]?.start ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return members[low - 1];
};

/** `places`: in the order of their threads, as the store returns them. */
export const readThreads = (places: readonly ThreadPlace[]): Threads => {
  if (places.length === 0) return NO_THREADS;
  const byDocument = new Map<number, ThreadMember>();
  const runs = new Map<number, ThreadMember[]>();
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
    inDocument(inRun) {
      const members = runs.get(inRun.document);
      if (!members) return inRun;
      const member = threadMemberAt(members, inRun.position);
      const position = inRun.position - (member?.start ?? 0);
      return member && position < member.messages ? { document: member.document, position } : null;
    },
  };
};

/** The threads of these documents, as far around each of them as a message shares its words. */
export const threadsAround = async (
  { store, scope }: ScopedStore,
  documents: readonly number[],
): Promise<Threads> => {
  const distinct = [...new Set(documents)];
  return distinct.length === 0
    ? NO_THREADS
    : readThreads(await store.threads(scope, distinct, NEIGHBOUR_REACH));
};
