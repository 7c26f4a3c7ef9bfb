// The settings of connections to outside sources.
import { settingGroup } from '../declare.ts';
import { hostList, wholeNumberSetting } from '../value-types.ts';

export interface ConnectionsConfig {
  connections: {
    /** The minutes between two looks; null: each source has its own. 0: only by hand and by webhook. */
    lookMinutes: number | null;
    /** Hosts inside the own network that connections may ask, each with its port. */
    privateHosts: readonly string[];
  };
}

export const connectionSettings = settingGroup({
  order: 11,
  title: 'Connections',
  settings: {
    MEMOIR_CONNECTIONS_LOOK_MINUTES: {
      type: wholeNumberSetting(0, 10_080).optional(),
      help: 'The minutes between two looks at a connected source, up to 10080 (a week). 0: only by hand and by webhook.',
      default: 'that of the source: 10 minutes, buckets 4 hours, websites 7 days',
    },
    MEMOIR_PRIVATE_SOURCES: {
      type: hostList.optional(),
      help: 'Hosts of the own network that connections may read, each with its port, as in minio:9000,10.0.0.5:8080. Without it, connections reach only the public internet. Addresses that give machines their credentials (169.254.0.0/16) are refused in any case.',
      default: 'none',
    },
  },
  view: (values): ConnectionsConfig => ({
    connections: {
      lookMinutes: values.MEMOIR_CONNECTIONS_LOOK_MINUTES ?? null,
      privateHosts: values.MEMOIR_PRIVATE_SOURCES ?? [],
    },
  }),
});
