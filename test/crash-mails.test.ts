// Kills the sender of mails at a few of its steps; `npm run test:crash:mails` does it at all of them.
import { expect } from 'vitest';
import { killMails } from './crash/mails/kill.ts';
import { verifies } from './spec/verifies.ts';

/** Its steps are of ten kinds, so that this reaches each of them sooner or later. */
const STRIDE = 13;

verifies(
  'mail:expiry:once',
  'a sender that is killed between any two steps loses no mail, and makes no second one',
  async () => {
    const { kills, steps, problems } = await killMails(4, { stride: STRIDE });
    expect(problems).toEqual([]);
    expect(kills).toBe(4);
    expect(steps).toBeGreaterThan(40);
  },
  { timeoutMs: 120_000 },
);
