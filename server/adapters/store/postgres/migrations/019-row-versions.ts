// The views of requests of documents, and of words, show which transaction wrote a row last as well.
import { OF_NUMBER, VERSION_COLUMN, viewAgain } from './018-unit-versions.ts';

export const postgresRowVersions = [
  viewAgain('documents', 'container', VERSION_COLUMN),
  viewAgain('chunk_words', OF_NUMBER, VERSION_COLUMN),
  viewAgain('memory_words', OF_NUMBER, VERSION_COLUMN),
].join('\n');
