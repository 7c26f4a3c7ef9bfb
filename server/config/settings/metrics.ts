// The settings of the figures for operators.
import { z } from 'zod';
import { settingGroup, withoutEffect } from '../declare.ts';

export interface MetricsConfig {
  /** Null: GET /metrics does not exist. */
  metrics: { readonly token: string | null } | null;
}

export const metricsSettings = settingGroup({
  order: 14,
  title: 'Metrics',
  settings: {
    MEMOIR_METRICS: {
      type: z.enum(['on', 'off'], { error: 'on or off' }).default('off'),
      help: 'Serves GET /metrics in the text format of Prometheus, for a key with full access or for MEMOIR_METRICS_TOKEN.',
      default: 'off; the path does not exist',
    },
    MEMOIR_METRICS_TOKEN: {
      type: z
        .string()
        .regex(/^\S{16,}$/, { error: 'at least 16 characters without a space' })
        .optional(),
      help: 'A token that opens GET /metrics and nothing else, sent as "Authorization: Bearer <token>".',
      default: 'none; a key with full access is needed',
      secret: true,
    },
  },
  view: (values): MetricsConfig => ({
    metrics: values.MEMOIR_METRICS === 'off' ? null : { token: values.MEMOIR_METRICS_TOKEN ?? null },
  }),
  warnings: (values) =>
    values.MEMOIR_METRICS === 'on'
      ? []
      : withoutEffect({ ...values, MEMOIR_METRICS: undefined }, 'MEMOIR_METRICS', ['MEMOIR_METRICS_TOKEN']),
});
