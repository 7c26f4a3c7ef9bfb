// Reads claimed documents: plain text at once, files, pages and addresses in the background.
import type { ReadProgress } from '../../adapters/extract/port.ts';
import type { Claim } from '../../adapters/store/ports/ingestion/claims.ts';
import type { IngestContext } from './context.ts';
import { type Prepared, prepare } from './prepare.ts';
import { retryOrFail } from './settle-claims.ts';

/** They mostly wait for processes and for the web. */
const READ_AT_ONCE = 4;
/** Cutting this many characters takes long. */
const LONG_TEXT = 400_000;

/** The number of further documents that may be read in the background. */
export const roomToExtract = ({ extracting }: IngestContext): number => READ_AT_ONCE - extracting.size;

/** Undefined if it failed; the claim is settled then. */
export const readDocument = async (
  context: IngestContext,
  claim: Claim,
  chunkSize: number | null,
): Promise<Prepared[]> => {
  const { deps, reports, signal } = context;
  const chunking = (cut: Claim, characters: number): Promise<void> =>
    reports.tell([{ claim: cut, step: 'chunking' }], characters >= LONG_TEXT);
  const reading = (read: Claim, progress: ReadProgress): void =>
    void reports.tell([{ claim: read, step: 'extracting', progress }]);
  try {
    return [await prepare(claim, { readers: deps.readers, signal, chunking, reading, chunkSize })];
  } catch (error) {
    await retryOrFail(context, claim, error);
    return [];
  }
};

/** Slow reading continues in the background, so that plain text never waits for it. */
export const readInBackground = async (
  context: IngestContext,
  claim: Claim,
  readAndIndex: () => Promise<void>,
): Promise<void> => {
  const { extracting } = context;
  while (roomToExtract(context) <= 0) await Promise.race(extracting);
  const work = readAndIndex()
    .catch((error) => retryOrFail(context, claim, error))
    .finally(() => {
      extracting.delete(work);
      context.wake();
    });
  extracting.add(work);
};
