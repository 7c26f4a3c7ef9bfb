// The settings of the log of requests.
import { z } from 'zod';
import { settingGroup } from '../declare.ts';

const MODES = ['off', 'meta', 'full'] as const;

export interface UsageConfig {
  requestLog: (typeof MODES)[number];
}

export const usageSettings = settingGroup({
  order: 13,
  title: 'Usage',
  settings: {
    MEMOIR_REQUEST_LOG: {
      type: z.enum(MODES, { error: `one of ${MODES.join(', ')}` }).default('meta'),
      help: 'The log of single calls that GET /v3/analytics/logs reads, kept for 7 days: off, meta (names of fields, ids and numbers, and only the length of each text), or full (texts too; they go when their document is deleted).',
      default: 'meta',
    },
  },
  view: (values): UsageConfig => ({ requestLog: values.MEMOIR_REQUEST_LOG }),
  warnings: ({ MEMOIR_REQUEST_LOG }) =>
    MEMOIR_REQUEST_LOG === 'full'
      ? [
          'MEMOIR_REQUEST_LOG is full, so the texts of searches and of added content are stored a second time in the log of requests, for 7 days or until their document is deleted.',
        ]
      : [],
});
