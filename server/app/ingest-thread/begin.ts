// Starts ingestion and connects the events of the ingest thread with the request side.
import type { Chroma } from '../../adapters/vectors/chroma/open-chroma.ts';
import type { Spaces } from '../../domain/spaces/spaces.ts';
import type { Log } from '../log.ts';
import type { IngestThread } from './handle.ts';
import type { ChromaSettings } from './settings.ts';

export interface RequestSide {
  chroma: Chroma;
  spaces: Spaces;
  log: Log;
}

/** The thread learns every new address of Chroma, and the request side every event of the thread. */
export const beginIngestion = async (
  thread: IngestThread,
  place: ChromaSettings,
  { chroma, spaces, log }: RequestSide,
): Promise<void> => {
  chroma.watch((url) => thread.tell('chromaAt', url));
  thread.onNews((news) => {
    if (news.event === 'index') chroma.heard(news);
    else if (news.event === 'dropped')
      chroma
        .freeDropped()
        .catch((error) =>
          log.warn({ err: error }, 'Chroma could not be restarted after an index was dropped.'),
        );
    else
      spaces
        .reload()
        .then(() => thread.tell('switched'))
        .catch((error) => log.warn({ err: error }, 'The new embedding space could not be opened.'));
  });
  await thread.begin(() => ({ ...place, url: chroma.url() }));
};
