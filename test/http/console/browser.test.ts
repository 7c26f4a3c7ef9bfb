// Joining, signing in and managing members by the plain pages, driven in a real browser.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { addMember } from '../../rest/support/team.ts';
import { verifies } from '../../spec/verifies.ts';
import { withBrowser } from '../../support/browser.ts';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { freePort } from '../../support/postgres.ts';
import { linkIn, startSmtp, type TestSmtp } from '../../support/smtp.ts';

let bare: OwnMemoir;
let mailing: OwnMemoir;
let smtp: TestSmtp;
beforeAll(async () => {
  smtp = await startSmtp();
  const port = await freePort();
  [bare, mailing] = await Promise.all([
    startMemoir(),
    startMemoir({
      ...{ PORT: String(port), MEMOIR_BASE_URL: `http://127.0.0.1:${port}` },
      ...{ MEMOIR_SMTP_URL: smtp.url, MEMOIR_MAIL_FROM: 'Memoir <memoir@example.org>' },
    }),
  ]);
});
afterAll(() => Promise.all([bare.close(), mailing.close(), smtp.close()]));

const openPage = async (browser: Browser): Promise<Page> => {
  const page = await (await browser.newContext()).newPage();
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && /policy/i.test(message.text())) wrong.push(message.text());
  });
  page.once('close', () => expect(wrong).toEqual([]));
  return page;
};

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

const signIn = async (page: Page, url: string, key: string): Promise<void> => {
  await page.goto(`${url}/console/`);
  await page.getByLabel(/personal key/).fill(key);
  await button(page, 'Sign in').click();
  await page.getByRole('heading', { name: 'My account' }).waitFor();
};

verifies(
  ['console:pages:without-mail', 'keys:console:create'],
  'without mail an owner invites, hands the link over, and another browser joins, signs out and in again by the key',
  async ({ skip }) => {
    await withBrowser(skip, async (browser) => {
      const owner = await addMember(bare, { email: 'olga@example.org', name: 'Olga', role: 'owner' });
      const first = await openPage(browser);
      await signIn(first, bare.url, owner.key);
      await first.getByRole('link', { name: 'Members and invitations' }).click();
      await first.getByLabel(/^Addresses/).fill('grace@example.org');
      await first.getByLabel(/^Container tags of a member/).fill('office:read, notes');
      await button(first, 'Invite').click();
      const link = await first.getByLabel(/grace@example.org: No mail carries this link/).inputValue();

      const second = await openPage(browser);
      await second.goto(link);
      expect(await second.locator('main').innerText()).toMatch(
        /Olga invites you[\s\S]*office \(read\), notes \(write\)/,
      );
      // Nothing is used up by opening it.
      await second.reload();
      await second.getByLabel('Your name').fill('Grace');
      await button(second, 'Join').click();
      const key = await second.getByLabel('Keep this to sign in').inputValue();
      await second.getByRole('link', { name: 'Go on' }).click();
      expect(await second.locator('main').innerText()).toMatch(/Grace, grace@example.org/);
      await button(second, 'Sign out').click();
      await second.getByRole('heading', { name: 'Sign in' }).waitFor();
      await second.goto(`${bare.url}/console/account`);
      expect(new URL(second.url()).pathname).toBe('/console/sign-in');
      await signIn(second, bare.url, key);

      const again = await openPage(browser);
      await again.goto(link);
      expect(await again.locator('main').innerText()).toMatch(/used, declined, canceled or replaced/);

      await second.getByLabel('Name', { exact: true }).fill('laptop');
      await button(second, 'Make the key').click();
      const made = await second.getByLabel('Keep this to sign in').inputValue();
      const used = await bare.ask('GET', '/v3/session', undefined, { key: made });
      expect(used.body).toMatchObject({ user: { name: 'Grace' }, accessType: 'restricted' });
      await second.goto(`${bare.url}/console/account`);
      await button(second, 'Disable laptop').click();
      await second.getByText('is disabled').waitFor();
      expect((await bare.ask('GET', '/v3/session', undefined, { key: made })).status).toBe(401);
      await second.goto(`${bare.url}/console/members`);
      expect(new URL(second.url()).pathname).toBe('/console/account');

      await first.goto(`${bare.url}/console/members`);
      await first.getByText('Change grace@example.org').click();
      await button(first, 'Remove grace@example.org').click();
      await first.getByRole('heading', { name: 'Members and invitations' }).waitFor();
      await second.goto(`${bare.url}/console/account`);
      expect(new URL(second.url()).pathname).toBe('/console/sign-in');
      for (const page of [first, second, again]) await page.close();
    });
  },
);

verifies(
  'console:pages:with-mail',
  'with mail one message carries the invitation, its link works once, and a link signs the member in again',
  async ({ skip }) => {
    await withBrowser(skip, async (browser) => {
      const owner = await addMember(mailing, { email: 'olga@example.org', name: 'Olga', role: 'owner' });
      const first = await openPage(browser);
      await signIn(first, mailing.url, owner.key);
      expect((await smtp.mailTo('olga@example.org')).text).toContain('Subject: New sign-in to Memoir');
      await first.getByRole('link', { name: 'Members and invitations' }).click();
      await first.getByLabel(/^Addresses/).fill('grace@example.org');
      await first.getByRole('group', { name: 'Invite' }).getByRole('combobox').selectOption('admin');
      await button(first, 'Invite').click();
      await first.getByText('grace@example.org: Mail on its way.').waitFor();
      const invitation = await smtp.mailTo('grace@example.org');
      expect(invitation.text).toMatch(
        /^Auto-Submitted: auto-generated[\s\S]*Olga invites you to join a Memoir as an admin/m,
      );
      const link = linkIn(invitation);
      for (let at = 0; at < 3; at++) expect((await fetch(link)).status).toBe(200);

      const second = await openPage(browser);
      await second.goto(link);
      await button(second, 'Join').click();
      await second.getByRole('heading', { name: 'My account' }).waitFor();
      expect(await second.locator('main').innerText()).toMatch(/grace, grace@example.org[\s\S]*admin/);
      expect((await fetch(link)).status).toBe(410);
      await button(second, 'Sign out').click();

      const before = smtp.received.length;
      await second.getByLabel('Your address').fill('Grace@Example.org');
      await button(second, 'Send me a link').click();
      const mail = await smtp.mailTo('grace@example.org', before);
      await second.goto(linkIn(mail));
      await button(second, 'Sign in').click();
      await second.getByRole('heading', { name: 'My account' }).waitFor();
      await second.goto(linkIn(mail));
      await button(second, 'Sign in').click();
      expect(await second.locator('main').innerText()).toContain('was used');
      expect(
        smtp.received.filter(({ to, text }) => to.includes('grace@example.org') && /invites you/.test(text)),
      ).toHaveLength(1);
      for (const page of [first, second]) await page.close();
    });
  },
);
