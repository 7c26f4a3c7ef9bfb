// Connections to outside sources: none can be made yet, so there are none, and every other wish is refused.

import type { ConnectionsOutput } from '../../../tools/connections/schemas/connections.ts';
import { notImplemented } from '../../core/errors.ts';

export interface Connections {
  list(): Promise<ConnectionsOutput>;
  /** For everything that needs a connection, or would make one. */
  refuse(): Promise<never>;
}

export const createConnections = (): Connections => ({
  list: async () => [],
  refuse: async () => {
    throw notImplemented(
      'This server cannot connect to outside sources yet. Add their content with POST /v3/documents or upload their files.',
    );
  },
});
