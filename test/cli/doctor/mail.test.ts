// A mail server in trouble, as the doctor and the health tell it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { startSmtp, type TestSmtp } from '../../support/smtp.ts';
import { found } from '../../support/until.ts';
import { newPlace, type Place, run } from '../memoir-process.ts';

let smtp: TestSmtp;
let memoir: OwnMemoir;
let place: Place;
beforeAll(async () => {
  smtp = await startSmtp();
  memoir = await startMemoir({
    ...{ MEMOIR_SMTP_URL: smtp.url, MEMOIR_MAIL_FROM: 'memoir@example.org' },
    MEMOIR_BASE_URL: 'http://memoir.example',
  });
  place = newPlace();
});
afterAll(async () => {
  place.remove();
  await memoir.close();
  await smtp.close();
});

interface Health {
  parts: { mail: { status: string; detail?: string } };
}

const mailPart = async (holds: (detail: string) => boolean): Promise<string> =>
  found('the state of the mails', async () => {
    const { mail } = (await memoir.ask<Health>('GET', '/health')).body.parts;
    return holds(mail.detail ?? '') ? `${mail.status}: ${mail.detail}` : null;
  });

test('doctor says how many mails wait for a mail server, how many are given up, and what it said', async () => {
  smtp.refuse({ code: 451, message: 'greylisted' }, { code: 550, message: 'no such person' });
  for (const name of ['grace', 'nobody'])
    await memoir.ask('POST', '/v3/auth/team/invite', { email: `${name}@example.org` });
  const told = await mailPart((detail) => detail.includes('1 given up'));
  expect(told).toMatch(/^degraded: 1 waiting, 1 given up; .*no such person/);
  const { code, stdout, stderr } = await run(['doctor', '--url', memoir.url, '--api-key', memoir.key], place);
  expect({ stdout, stderr, code }).toMatchObject({
    stdout: expect.stringMatching(/mail +degraded: 1 waiting, 1 given up; .*no such person/),
    code: expect.any(Number),
  });
});
