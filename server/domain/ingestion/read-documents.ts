// Reads claimed documents: plain text at once, files, pages and addresses in the background.
import type { ReadProgress } from '../../adapters/extract/port.ts';
import type { Claim, ClaimShare, FullShares } from '../../adapters/store/ports/ingestion/claims.ts';
import { needsExtraction } from './content/describe-document.ts';
import type { IngestContext } from './context.ts';
import { type Prepared, prepare } from './prepare.ts';
import { retryOrFail } from './settle-claims.ts';

/** The most documents that are read in the background at once; they mostly wait for processes and for the web. */
const READ_AT_ONCE = 16;
/** The most documents of one container that are read at once, so that others find room however many it has. */
const READ_OF_CONTAINER = 4;
/** The most documents of one key, in however many containers. */
const READ_OF_KEY = 12;
/** Cutting this many characters takes long. Of a shorter text its share tells, in one write for all of its documents. */
const LONG_TEXT = 400_000;

/** The number of further documents that may be read in the background. */
export const roomToExtract = ({ extracting }: IngestContext): number => READ_AT_ONCE - extracting.size;

/** The number of further documents of each container, or of each key, that already has documents in work. */
const leftOf = <Owner>({ extracting }: IngestContext, owner: (claim: Claim) => Owner, each: number) => {
  const left = new Map<Owner, number>();
  for (const claim of extracting.values()) left.set(owner(claim), (left.get(owner(claim)) ?? each) - 1);
  return left;
};

const leftOfContainers = (context: IngestContext) =>
  leftOf(context, ({ container }) => container, READ_OF_CONTAINER);
const leftOfKeys = (context: IngestContext) => leftOf(context, ({ sentBy }) => sentBy, READ_OF_KEY);

/** The limits of the next claim for documents that are read in the background. */
export const readingShare = (context: IngestContext): Omit<ClaimShare, 'documents' | 'containers'> => ({
  heavy: roomToExtract(context),
  heavyLeft: leftOfContainers(context),
  heavyEach: READ_OF_CONTAINER,
  heavyLeftOfKey: leftOfKeys(context),
  heavyEachKey: READ_OF_KEY,
});

const fullOf = <Owner>(left: ReadonlyMap<Owner, number>): Owner[] =>
  [...left].filter(([, further]) => further <= 0).map(([owner]) => owner);

/** Containers and keys that may have no further documents in the background. */
export const fullShares = (context: IngestContext): FullShares => ({
  containers: fullOf(leftOfContainers(context)),
  keys: fullOf(leftOfKeys(context)),
});

const codeOfFailure = ({ failure }: Prepared): string | null => failure?.code ?? null;

/** Empty: it failed, and its claim is settled. */
export const readDocument = async (
  context: IngestContext,
  claim: Claim,
  chunkSize: number | null,
): Promise<Prepared[]> => {
  const { deps, reports, signal } = context;
  const chunking = async (cut: Claim, characters: number): Promise<void> => {
    if (characters >= LONG_TEXT) await reports.tell([{ claim: cut, step: 'chunking' }], true);
  };
  const reading = (read: Claim, progress: ReadProgress): void =>
    void reports.tell([{ claim: read, step: 'extracting', progress }]);
  try {
    const work = () => prepare(claim, { readers: deps.readers, signal, chunking, reading, chunkSize });
    const watched = { facts: { document: claim.id }, failureOf: codeOfFailure };
    return [await deps.watch(needsExtraction(claim) ? 'extracting' : 'chunking', work, watched)];
  } catch (error) {
    await retryOrFail(context, claim, error);
    return [];
  }
};

/** Slow reading continues in the background, so that plain text never waits for it. */
export const readInBackground = async (
  context: IngestContext,
  claim: Claim,
  readAndComplete: () => Promise<void>,
): Promise<void> => {
  const { extracting } = context;
  while (roomToExtract(context) <= 0) await Promise.race(extracting.keys());
  const work = readAndComplete()
    .catch((error) => retryOrFail(context, claim, error))
    .finally(() => {
      extracting.delete(work);
      context.wake();
    });
  extracting.set(work, claim);
};
