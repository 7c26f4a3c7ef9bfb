// All rows of `npm run test:connections`.
import { chosen } from './chosen.ts';
import { kills } from './kills.ts';
import type { ConnectionRow } from './row.ts';
import { secrets } from './secrets.ts';
import { throttle } from './throttle.ts';
import { tokens } from './tokens.ts';
import { webhooks } from './webhooks.ts';
import { wholeDrive } from './whole-drive.ts';

export const ROWS: readonly ConnectionRow[] = [
  wholeDrive,
  kills,
  tokens,
  throttle,
  chosen,
  secrets,
  webhooks,
];
