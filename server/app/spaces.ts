// Opens the embedding spaces of the request side; the ingest thread fills them.
import {
  isOfEarlierVersion,
  isRequestedSpace,
  openRequestedEmbedder,
  openStoredEmbedder,
  requestedSpace,
} from '../adapters/embed/open.ts';
import type { OpenedStore } from '../adapters/store/request-side/store.ts';
import type { Config } from '../config/config.ts';
import { fitCalibration } from '../domain/search/similarity/fit-calibration.ts';
import { createSpaces, type Spaces } from '../domain/spaces/spaces.ts';
import type { IngestThread } from './ingest-thread/handle.ts';
import type { Log } from './log.ts';

export const openSpaces = (store: OpenedStore, config: Config, thread: IngestThread, log: Log): Spaces =>
  createSpaces({
    store: store.spaces,
    wanted: () => requestedSpace(config),
    isWanted: (space) => isRequestedSpace(config, space),
    isOfEarlierVersion: (space) => isOfEarlierVersion(config, space),
    openWanted: () => openRequestedEmbedder(config),
    openStored: (space) => openStoredEmbedder(config, space),
    calibrate: fitCalibration,
    announce: () => thread.call('reloadSpaces'),
    filling: async () => (await thread.state()).filling,
    now: Date.now,
    log,
  });
