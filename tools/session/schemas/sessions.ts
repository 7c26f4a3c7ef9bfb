// Inputs and outputs of the operations on sessions of browsers.
import { z } from 'zod';
import { time } from '../../shared/primitives.ts';

const id = z.string().describe('The id of the session.');

const sessionItem = z
  .object({
    id,
    createdAt: time.describe('The time of the sign-in.'),
    lastSeenAt: time.describe('The time of the last request.'),
    expiresAt: time.describe('The time at which the session ends at the latest.'),
    userAgent: z.string().describe('The browser, as it named itself.'),
    current: z.boolean().describe('True: this request came with the session.'),
  })
  .meta({ id: 'BrowserSession', description: 'A browser that is signed in.' });

export const listSessionsOutput = z.object({
  sessions: z.array(sessionItem).describe('The running sessions, the one used last first.'),
});
export type ListSessionsOutput = z.input<typeof listSessionsOutput>;

export const sessionReference = z.object({
  id: z.string().min(1).max(255).describe('The id of the session.'),
});

export const endSessionOutput = z.object({ success: z.boolean().describe('True: the session ended.'), id });
