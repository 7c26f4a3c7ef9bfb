// Tells the readers of memories which texts callers got, because an agent may only repeat them. The reader of this process
// hears of many answers in one message, and always before content is stored that may repeat them; those of others hear soon.
import type { OpenedStore } from '../adapters/store/request-side/store.ts';
import type { ServedRecording } from '../domain/memories/record-served.ts';
import type { ServedAnswer } from '../domain/memories/served.ts';
import { createTogether } from '../lib/async/together.ts';
import type { OpenedDatabase } from './database/database.ts';
import type { IngestThread } from './ingest-thread/handle.ts';

const LIMITS = { waitMs: 50, mostItems: 64 };

interface ServedAnswersDeps {
  readonly thread: Pick<IngestThread, 'tell'>;
  readonly database: Pick<OpenedDatabase, 'company'>;
  readonly store: OpenedStore;
}

export interface ServedAnswers extends Pick<ServedRecording, 'tell'> {
  /** The store for adding content. */
  readonly store: OpenedStore;
}

export const tellServedAnswers = ({ thread, database, store }: ServedAnswersDeps): ServedAnswers => {
  const waiting = createTogether<ServedAnswer>((answers) => thread.tell('served', answers), LIMITS);
  const submit: OpenedStore['documents']['submit'] = (scope, items) => {
    waiting.flush();
    return store.documents.submit(scope, items);
  };
  return {
    tell(tags, texts) {
      waiting.add({ tags, texts });
      database.company?.served(tags, texts);
    },
    store: { ...store, documents: { ...store.documents, submit } },
  };
};
