// Input and output of a test mail.
import { z } from 'zod';
import { email } from '../../team/schemas/team.ts';

export const testMailInput = z.object({ to: email.optional().describe('The address. Default: your own.') });

export const testMailOutput = z.object({
  success: z.boolean().describe('True: the mail server took the mail.'),
  to: z.string().describe('The address.'),
  said: z.string().describe('What the mail server said.'),
});
export type TestMailOutput = z.input<typeof testMailOutput>;
