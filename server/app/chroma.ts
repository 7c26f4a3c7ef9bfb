// Opens Chroma as the settings say, and waits for it at the start.
import { join } from 'node:path';
import { type Chroma, openChroma } from '../adapters/vectors/chroma/open-chroma.ts';
import { type ChromaServer, createChromaServer } from '../adapters/vectors/chroma/server/supervisor.ts';
import type { Config } from '../config/config.ts';
import { chromaPlace } from '../config/settings/chroma.ts';
import type { Log } from './log.ts';

/** The longest wait of a search for Chroma; comparing 100,000 vectors exactly takes a twentieth of it. */
const CHROMA_QUERY_MS = 2000;
/** The longest wait at the start; without Chroma everything works, only wide searches are slower. */
const CHROMA_START_MS = 3000;

/** Null: the settings name a server. */
export const startOwnChroma = (config: Config, log: Log): ChromaServer | null =>
  chromaPlace(config).url === null
    ? createChromaServer({
        folder: join(config.dataDir, 'chroma'),
        log: (level, text) => log[level]({ part: 'chroma' }, text),
      })
    : null;

export const openConfiguredChroma = (config: Config, orgId: string, server: ChromaServer | null): Chroma =>
  openChroma({
    ...chromaPlace(config),
    ...{ server, namespace: orgId, limits: { queryMs: CHROMA_QUERY_MS } },
  });

export const waitForChroma = async (chroma: Pick<Chroma, 'ready'>, log: Log): Promise<void> => {
  try {
    await chroma.ready(AbortSignal.timeout(CHROMA_START_MS));
  } catch (error) {
    log.warn({ err: error }, 'Chroma is not ready yet. Until it is, searches compare exactly.');
  }
};
