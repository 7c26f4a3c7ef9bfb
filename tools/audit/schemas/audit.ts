// The audit log, as it is asked for and answered.
import { z } from 'zod';
import { pagination } from '../../memories/schemas/paging.ts';
import { instant, nullableText, singleLine, time, wholeNumberField } from '../../shared/primitives.ts';

export const auditQueryInput = z.object({
  from: instant.optional().describe('Only changes from this moment on.'),
  to: instant.optional().describe('Only changes before this moment.'),
  actor: singleLine(1, 100).optional().describe('Only changes by the key, member or program with this id.'),
  action: singleLine(1, 40)
    .optional()
    .describe('Only this action, as in `key.create`, or this group of actions, as in `key`.'),
  target: singleLine(1, 200).optional().describe('Only changes of what has this id.'),
  after: wholeNumberField(0, 999_999_999)
    .optional()
    .describe('Only rows after the one with this number, oldest first. Without it the newest come first.'),
  page: wholeNumberField(1, 1_000_000).prefault(1).describe('The page number, from 1.'),
  limit: wholeNumberField(1, 100).prefault(20).describe('Rows per page, 1–100.'),
});

export type AuditQueryInput = z.output<typeof auditQueryInput>;

const details = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
);

export const auditEntry = z
  .object({
    n: z.int().describe('The number of the row; there is no gap between two rows.'),
    at: time.describe('The time of the change.'),
    actor: z
      .object({
        kind: z.enum(['key', 'member', 'program', 'cli', 'server']).describe('The kind of actor.'),
        id: z.string().describe('The id of the actor.'),
        name: z.string().describe('The name at that time.'),
      })
      .describe('Who made the change; `cli` is the owner of the machine without a key.'),
    way: z
      .string()
      .describe('How the call arrived: `rest`, `mcp`, `cli`, or `server` for the server itself.'),
    requestId: nullableText('The request id, as in the log and in the header of the answer.'),
    action: z.string().describe('The action, as in key.create.'),
    target: z
      .object({
        kind: z.string().describe('The kind of what was changed.'),
        id: z.string().describe('The id of what was changed.'),
      })
      .nullable()
      .describe('The changed object.'),
    containerTags: z.array(z.string()).describe('At most 20; `details.containerTags` counts a longer list.'),
    details: details.describe(
      'Names of changed fields and numbers; no values of settings, no texts, no secrets.',
    ),
    address: nullableText('The address of the client; dropped after 30 days.'),
    hash: z.string().describe('SHA-256 of the hash of the row before and of this row without its address.'),
  })
  .meta({ id: 'AuditEntry' });

export const auditListOutput = z.object({
  entries: z.array(auditEntry).describe('The rows of the log.'),
  pagination,
});
export type AuditListOutput = z.input<typeof auditListOutput>;

export const auditVerifyOutput = z.object({
  whole: z.boolean().describe('True: every row fits the one before it.'),
  rows: z.int().describe('The number of rows that were compared.'),
  last: z
    .object({
      n: z.int().describe('The number of the row.'),
      hash: z.string().describe('The hash of the row.'),
    })
    .describe('The last row that fits.'),
  broken: z
    .object({
      n: z.int().describe('The number of the row.'),
      why: z.enum(['changed', 'missing', 'inserted']).describe('The kind of the break.'),
      message: z.string().describe('The same as a sentence.'),
    })
    .nullable()
    .describe('The first row that does not fit.'),
});
export type AuditVerifyOutput = z.input<typeof auditVerifyOutput>;
