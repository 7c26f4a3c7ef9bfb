// Quotas with what is used of them.
import { z } from 'zod';
import { time } from '../../shared/primitives.ts';
import { quotaChanges } from '../../shared/quotas.ts';

export const quotaName = quotaChanges.keyof();

export const quotasOutput = z.object({
  quotas: z.array(
    z
      .object({
        of: z.enum(['key', 'member', 'tag']),
        id: z.string().describe('The id of the key or member, or the container tag.'),
        quota: quotaName,
        limit: z.int(),
        used: z.int().describe('Since the beginning of the day or month, in UTC.'),
        endsAt: time.describe('When the day or month ends.'),
      })
      .meta({ id: 'Quota' }),
  ),
});
export type QuotasOutput = z.input<typeof quotasOutput>;

export const setQuotasInput = z.object({
  of: z.enum(['key', 'member', 'tag']).describe('Whose quotas.'),
  id: z.string().min(1).max(200).describe('The id of the key or member, or the container tag.'),
  quotas: quotaChanges,
});
export type SetQuotasInput = z.output<typeof setQuotasInput>;
