// The settings of the audit log.
import { z } from 'zod';
import { settingGroup } from '../declare.ts';
import { wholeNumberSetting } from '../value-types.ts';

export interface AuditConfig {
  /** The number of days that rows of the audit log stay; null: for ever. */
  auditDays: number | null;
}

export const auditSettings = settingGroup({
  order: 12,
  title: 'Audit log',
  settings: {
    MEMOIR_AUDIT_DAYS: {
      type: z
        .union([z.literal('forever'), wholeNumberSetting(1, 36_500)], {
          error: 'a whole number from 1 to 36500, or forever',
        })
        .default(400),
      help: 'The number of days that rows of the audit log are kept, or forever. Pruning leaves a row that says so, and the chain goes on from it.',
      default: '400',
    },
  },
  view: ({ MEMOIR_AUDIT_DAYS: days }): AuditConfig => ({ auditDays: days === 'forever' ? null : days }),
});
