// Erasing as ingestion sees it: what is left to erase is read here, and the writer erases it in short transactions.
import type { EraseStore, Upkeep } from '../ports/ingestion/erasing.ts';
import { filesToErase } from '../queries/documents/originals.ts';
import { unscrubbedMark } from '../queries/ingestion/unscrubbed.ts';
import type { IngestSideContext } from './context.ts';

export const eraseStore = ({ db, call }: IngestSideContext, upkeep: Upkeep): EraseStore => ({
  space: upkeep.space,
  room: upkeep.room,
  compact: upkeep.compact,
  filesToErase: (limit) => filesToErase(db, limit),
  forgetFiles: (keys) => call('forgetFiles', keys),
  purge: (limit) => call('purge', limit),
  eraseFormerlyKept: () => call('eraseFormerlyKept'),
  needsScrub: async () => (await unscrubbedMark(db)) !== null,
  scrub: async (signal) => upkeep.scrub(await unscrubbedMark(db), signal),
});
