// My account: who I am, my keys, programs and browsers, each with the button that ends it.
import type { z } from 'zod';
import type { listGrants } from '../../../tools/grants/list.ts';
import type { listKeys } from '../../../tools/keys/list.ts';
import type { getSession } from '../../../tools/session/get.ts';
import type { listSessions } from '../../../tools/session/list.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { plural } from '../../lib/text/plural.ts';
import { page } from '../pages/html.ts';
import { NOTHING, problemLine } from './entry-pages.ts';

export interface AccountView {
  session: z.output<typeof getSession.output>;
  /** Null: the caller's key manages nothing. */
  own: {
    keys: z.output<typeof listKeys.output>['keys'];
    grants: z.output<typeof listGrants.output>['grants'];
    sessions: z.output<typeof listSessions.output>['sessions'];
  } | null;
  manages: boolean;
  /** Keeps other sites from posting the forms. */
  ticket: string;
}

const SOON_MS = 7 * 86_400_000;

const day = (time: string | null): string => (time === null ? 'never' : time.slice(0, 10));

/** A button that does one thing to one object. */
export const actionButton = (action: string, fields: Readonly<Record<string, string>>, label: string): Html =>
  html`<form method="post" action="${action}" class="inline">${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button>${label}</button></form>`;

const endMark = (expiresAt: string | null): string => {
  if (expiresAt === null) return 'never ends';
  const left = Date.parse(expiresAt) - Date.now();
  if (left <= 0) return `ended on ${day(expiresAt)}`;
  return left <= SOON_MS
    ? `ends in ${plural(Math.max(1, Math.ceil(left / 86_400_000)), 'day')}, on ${day(expiresAt)}`
    : `ends on ${day(expiresAt)}`;
};

type Item = NonNullable<AccountView['own']>;

const keyItem = (
  { id, name, start, permission, containerTags, expiresAt, enabled, lastUsedAt }: Item['keys'][number],
  ticket: string,
): Html => html`<li><strong>${name}</strong> <code>${start}…</code><br>
${enabled ? (permission === 'read' ? 'may read' : 'may read and write') : 'is disabled'}, ${containerTags?.join(', ') ?? 'everywhere'}; ${endMark(expiresAt)}; last used ${day(lastUsedAt)}
${enabled ? actionButton('account', { do: 'disableKey', id, ticket }, `Disable ${name}`) : NOTHING}</li>`;

const grantItem = (
  { id, client, permission, expiresAt }: Item['grants'][number],
  ticket: string,
): Html => html`<li><strong>${client.name}</strong> may ${permission}; ${endMark(expiresAt)}
${actionButton('account', { do: 'revokeGrant', id, ticket }, `Disconnect ${client.name}`)}</li>`;

const sessionRow = (
  { id, userAgent, createdAt, current }: Item['sessions'][number],
  ticket: string,
): Html => html`<li>${userAgent === '' ? 'A browser' : userAgent}${current ? ' (this one)' : ''}, since ${day(createdAt)}
${current ? NOTHING : actionButton('account', { do: 'endSession', id, ticket }, 'End this session')}</li>`;

const section = (title: string, rows: readonly Html[], empty: string): Html =>
  html`<h2>${title}</h2>${rows.length === 0 ? html`<p>${empty}</p>` : html`<ul>${rows}</ul>`}`;

const makeKeyForm = (
  ticket: string,
): Html => html`<form method="post" action="account"><fieldset><legend>New personal key</legend>
<input type="hidden" name="ticket" value="${ticket}">
<label>Name <input type="text" name="name" maxlength="255" required></label>
<label>Permission <select name="permission"><option value="write">Read and write</option><option value="read">Read</option></select></label>
<label>Container tags, separated by commas; empty: all of yours <input type="text" name="tags" autocomplete="off"></label>
<label>Days <select name="days"><option>7</option><option>30</option><option>180</option><option>365</option><option value="" selected>never ends</option></select></label>
<p><button name="do" value="makeKey">Make the key</button></p></fieldset></form>`;

export const accountPage = ({ session, own, manages, ticket }: AccountView, problem: string | null) => {
  const { user, role, containerTags } = session;
  const reach =
    containerTags?.map(({ containerTag, permission }) => `${containerTag} (${permission})`).join(', ') ??
    'everything';
  return page(
    'My account',
    html`${problemLine(problem)}<dl><dt>You are</dt><dd>${user.name ?? user.id}${user.email === undefined ? '' : `, ${user.email}`}</dd>
<dt>Role</dt><dd>${role ?? 'member'}</dd><dt>You reach</dt><dd>${reach}</dd></dl>
<p>${manages ? html`<a href="members">Members and invitations</a>` : NOTHING}</p>
${
  own === null
    ? html`<p>This key manages nothing.</p>`
    : [
        section(
          'Keys',
          own.keys.map((key) => keyItem(key, ticket)),
          'You have no keys.',
        ),
        makeKeyForm(ticket),
        section(
          'Programs',
          own.grants.map((grant) => grantItem(grant, ticket)),
          'No program is connected.',
        ),
        section(
          'Browsers',
          own.sessions.map((one) => sessionRow(one, ticket)),
          'No other browser is signed in.',
        ),
      ]
}
${actionButton('account', { do: 'signOut', ticket }, 'Sign out')}`,
  );
};
