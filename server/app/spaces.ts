// Opens the embedding spaces of the request side; the ingest thread fills them.
import {
  isOfEarlierVersion,
  isRequestedSpace,
  openRequestedEmbedder,
  openStoredEmbedder,
  requestedSpace,
} from '../adapters/embed/open.ts';
import type { Embedder } from '../adapters/embed/port.ts';
import type { OpenedStore } from '../adapters/store/request-side/store.ts';
import type { Config } from '../config/config.ts';
import type { Signals } from '../core/processes/signals.ts';
import { fitCalibration } from '../domain/search/similarity/fit-calibration.ts';
import { createSpaces, type Spaces } from '../domain/spaces/spaces.ts';
import type { IngestState } from './ingest-thread/commands.ts';
import type { IngestThread } from './ingest-thread/handle.ts';
import type { Log } from './log.ts';

export interface SpacesParts {
  readonly store: OpenedStore;
  readonly config: Config;
  readonly thread: IngestThread;
  readonly signals: Signals;
  readonly state: () => Promise<IngestState>;
  readonly log: Log;
  readonly traced: (embedder: Embedder) => Embedder;
}

export const openSpaces = ({ store, config, thread, signals, state, log, traced }: SpacesParts): Spaces =>
  createSpaces({
    store: store.spaces,
    wanted: () => requestedSpace(config),
    isWanted: (space) => isRequestedSpace(config, space),
    isOfEarlierVersion: (space) => isOfEarlierVersion(config, space),
    openWanted: () => openRequestedEmbedder(config).then(traced),
    openStored(space) {
      const embedder = openStoredEmbedder(config, space);
      return embedder === null ? null : traced(embedder);
    },
    calibrate: fitCalibration,
    async announce() {
      signals.tell('spaces');
      await thread.call('reloadSpaces');
    },
    filling: async () => (await state()).filling,
    now: Date.now,
    log,
  });
