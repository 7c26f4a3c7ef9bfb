// Starts ingestion and connects the events of the ingest thread with the request side.
import type { Chroma } from '../../adapters/vectors/chroma/open-chroma.ts';
import type { Company } from '../../core/processes/company.ts';
import { doesWork, type ProcessRole } from '../../core/processes/role.ts';
import type { Spaces } from '../../domain/spaces/spaces.ts';
import type { Log } from '../log.ts';
import type { SharedChoices } from '../shared-choices.ts';
import type { IngestThread } from './handle.ts';
import { jointState, type ToldState } from './joint-state.ts';
import type { ChromaSettings } from './settings.ts';

export interface RequestSide {
  chroma: Chroma;
  spaces: Spaces;
  company: Company | null;
  role: ProcessRole;
  keyId: string | null;
  choices: SharedChoices;
  log: Log;
}

/** Resolves when this process, and all others on the database, search in the new space and fill it. */
const useNewSpace = async (spaces: Spaces, company: Company | null): Promise<void> => {
  await spaces.reload();
  if (company === null) return;
  company.signals.tell('spaces');
  await company.agreed();
};

/** The part of its work that a process tells the others. */
const joinCompany = (
  thread: IngestThread,
  { url, shards, indexFrom }: ChromaSettings,
  { chroma, spaces, company, role, keyId, choices }: RequestSide,
): void => {
  if (company === null) return;
  company.watch({
    state: async (): Promise<ToldState> => ({ ...(await thread.state()), shards, indexFrom, keyId }),
    async met() {
      await choices.look();
      const own = await thread.state();
      const { whole } = jointState(own, company, { role, shards, indexFrom });
      // The process hears of changes on its own thread at once.
      if (whole !== own.whole) chroma.heard({ url, spaces: whole });
    },
    async spacesChanged() {
      await spaces.reload();
      await thread.call('reloadSpaces');
    },
  });
  company.signals.on('spaces', () => thread.tell('reloadSpaces'));
  company.signals.on('models', choices.look);
  company.signals.on('compact', () => thread.tell('compact'));
};

/** The thread learns every new address of Chroma, and the request side every event of the thread. */
export const beginIngestion = async (
  thread: IngestThread,
  place: ChromaSettings,
  side: RequestSide,
): Promise<void> => {
  const { chroma, spaces, company, role, log } = side;
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
      useNewSpace(spaces, company)
        .then(() => thread.tell('switched'))
        .catch((error) => log.warn({ err: error }, 'The new embedding space could not be opened.'));
  });
  if (doesWork(role)) await thread.begin(() => ({ ...place, url: chroma.url() }));
  joinCompany(thread, place, side);
};
