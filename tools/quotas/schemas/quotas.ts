// Quotas: the most that a key, a member or a container tag may use in a day or a month, and what is used of them.
import { z } from 'zod';
import { time } from '../../shared/primitives.ts';

const most = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable().optional();

export const quotaChanges = z
  .strictObject({
    documentsPerDay: most.describe('Documents added in a day (UTC).'),
    documentsPerMonth: most.describe('Documents added in a calendar month (UTC).'),
    bytesPerDay: most.describe('Bytes of added content in a day.'),
    bytesPerMonth: most.describe('Bytes of added content in a month.'),
    searchesPerDay: most.describe('Searches in a day.'),
    searchesPerMonth: most.describe('Searches in a month.'),
    tokensPerDay: most.describe('Tokens of language models in a day; beyond them nothing is added.'),
    tokensPerMonth: most.describe('Tokens of language models in a month; beyond them nothing is added.'),
  })
  .describe(
    'Quotas; one that is left out keeps its value, and null removes it. Only for keys with full access.',
  );

export type QuotaChanges = z.output<typeof quotaChanges>;
export type QuotaName = keyof QuotaChanges;

const quotaName = quotaChanges.keyof();

const quotaList = z.array(
  z
    .object({
      of: z.enum(['key', 'member', 'tag']).describe('Whose quota.'),
      id: z.string().describe('The id of the key or member, or the container tag.'),
      quota: quotaName.describe('The name of the quota.'),
      limit: z.int().describe('The most that may be used.'),
      used: z.int().describe('Since the beginning of the day or month, in UTC.'),
      endsAt: time.describe('When the day or month ends.'),
    })
    .meta({ id: 'Quota' }),
);

/** The answer of an operation that changes quotas along with something else. */
export const changedQuotas = quotaList
  .optional()
  .describe('All quotas of it that are set, if the call changed any.');

export const quotasOutput = z.object({ quotas: quotaList.describe('All quotas that are set.') });
export type QuotasOutput = z.input<typeof quotasOutput>;

export const setQuotasInput = z.object({
  of: z.enum(['key', 'member', 'tag']).describe('Whose quotas.'),
  id: z.string().min(1).max(200).describe('The id of the key or member, or the container tag.'),
  quotas: quotaChanges,
});
export type SetQuotasInput = z.output<typeof setQuotasInput>;
