// The pages before somebody is signed in: sign-in, the link of a mail, an invitation, and the key that is shown once.
import type { Service } from '../../calls/service.ts';
import { isoTime } from '../../lib/text/dates/format.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { page } from '../pages/html.ts';

type Team = Service['team'];
type Invited = Awaited<ReturnType<Team['joining']['look']>>;

export const NOTHING: Html = { html: '' };

export const problemLine = (sentence: string | null): Html =>
  sentence === null ? NOTHING : html`<p class="problem" role="alert">${sentence}</p>`;

const mailForm = html`<form method="post" action="sign-in"><fieldset><legend>By mail</legend>
<label>Your address <input type="text" inputmode="email" name="email" autocomplete="email" required></label>
<p><button name="do" value="mail">Send me a link</button></p></fieldset></form>`;

const oidcForm = (host: string): Html =>
  html`<form method="get" action="oidc"><p><button>Sign in with ${host}</button></p></form>`;

export const memberSignInPage = (ways: Team['signIn']['ways'], problem: string | null) =>
  page(
    'Sign in',
    html`${problemLine(problem)}${ways.oidc === null ? NOTHING : oidcForm(ways.oidc)}${ways.email ? mailForm : NOTHING}
<form method="post" action="sign-in"><fieldset><legend>With a key</legend>
<label>Your personal key, or another key of this server
<input type="password" name="key" autocomplete="current-password" required></label>
<p>A personal key was shown when you joined. "memoir keys create" and the first start of the server show others.</p>
<p><button name="do" value="key">Sign in</button></p></fieldset></form>`,
  );

export const mailSentPage = (address: string) =>
  page(
    'Look into your mail',
    html`<p>If ${address} belongs to a member, a link is on its way. It signs you in once, for 15 minutes.</p>
<p><a href="sign-in">Back</a></p>`,
  );

export const linkPage = (token: string) =>
  page(
    'Sign in',
    html`<p>The link is used up by this button, not by opening it.</p>
<form method="post" action="link"><input type="hidden" name="token" value="${token}">
<p><button>Sign in</button></p></form>`,
  );

const reach = ({ containerTags }: Pick<Invited, 'containerTags'>): string =>
  containerTags === null
    ? 'everything'
    : containerTags.map(({ containerTag, permission }) => `${containerTag} (${permission})`).join(', ');

export const invitationPage = (token: string, invited: Invited, problem: string | null) =>
  page(
    'Join this Memoir',
    html`${problemLine(problem)}<p><strong>${invited.inviterName}</strong> invites you.</p>
<dl><dt>Address</dt><dd>${invited.email}</dd><dt>Role</dt><dd>${invited.role}</dd>
<dt>You reach</dt><dd>${reach(invited)}</dd>
<dt>Valid until</dt><dd>${isoTime(invited.expiresAt).slice(0, 16).replace('T', ' ')} UTC</dd></dl>
<form method="post" action="join"><input type="hidden" name="token" value="${token}">
<p><label>Your name <input type="text" name="name" maxlength="120" autocomplete="name"></label></p>
<p><button name="do" value="accept">Join</button><button name="do" value="decline" formnovalidate>Decline</button></p></form>`,
  );

export const keyOncePage = (title: string, key: string) =>
  page(
    title,
    html`<p>This is your key. It is shown only this once: keep it, for example in a password manager.</p>
<p><label>Keep this to sign in <input type="text" readonly value="${key}" autocomplete="off" id="key"></label></p>
<p><a href="account">Go on</a></p>`,
  );

export const donePage = (title: string, sentence: string) =>
  page(title, html`<p>${sentence}</p><p><a href="account">Go on</a></p>`);
