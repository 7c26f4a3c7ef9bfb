// Quotas: the most that a key, a member or a container tag may use in a day or a month.
import { z } from 'zod';

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
