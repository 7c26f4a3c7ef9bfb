// Sending a test mail, to see whether mail is set up.
import { operation } from '../operation.ts';
import { testMailInput, testMailOutput } from './schemas/test-mail.ts';

export const testMail = operation({
  name: 'settings.testMail',
  summary: 'Send a test mail',
  description:
    'Sends a mail at once and returns what the mail server said. It goes to you; a key without a member names the address.',
  rest: { method: 'POST', path: '/v3/settings/mail/test', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  input: testMailInput,
  output: testMailOutput,
  errors: [409],
  run: (service, { to }, caller) => service.team.mail.test(caller, to),
});
