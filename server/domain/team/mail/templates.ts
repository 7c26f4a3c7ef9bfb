// The texts of mails: plain text, and the same as HTML without pictures or tracking.

import { isoTime } from '../../../lib/text/dates/format.ts';
import { type Html, html } from '../../../lib/text/html.ts';

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** A key that ends, as a mail names it. */
export interface EndingKey {
  name: string;
  start: string;
  tags: readonly string[] | null;
  expiresAt: number;
  lastUsedAt: number | null;
}

/** The data from which each kind of mail is written. */
export interface MailContents {
  invitation: { role: string; inviterName: string; link: string; expiresAt: number };
  signIn: { name: string; link: string };
  expiry: { name: string; keys: readonly EndingKey[]; link: string };
  newSignIn: { name: string; at: number; userAgent: string; link: string };
  test: { by: string };
}

const MOST = 80;

/** Names come from other people: without control characters, so that a subject stays one line, and cut. */
const short = (text: string): string => {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return plain.length > MOST ? `${plain.slice(0, MOST)}…` : plain;
};

const minute = (at: number): string => `${isoTime(at).slice(0, 16).replace('T', ' ')} UTC`;

/** Paragraphs; one that is an address becomes a link. */
const written = (subject: string, paragraphs: readonly string[]): MailText => {
  const lines = paragraphs.map((each) =>
    /^https?:\/\/\S+$/.test(each) ? html`<p><a href="${each}">${each}</a></p>` : html`<p>${each}</p>`,
  );
  const body: Html = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font:16px/1.5 system-ui,sans-serif">${lines}</body></html>
`;
  return { subject, text: `${paragraphs.join('\n\n')}\n`, html: body.html };
};

const keyLine = ({ name, start, tags, expiresAt, lastUsedAt }: EndingKey): string =>
  `${short(name)} (${start}…, ${tags === null ? 'everything' : short(tags.join(', '))}) ends on ${minute(expiresAt)}; ${
    lastUsedAt === null ? 'it was never used' : `last used on ${minute(lastUsedAt)}`
  }.`;

type Templates = { readonly [Kind in keyof MailContents]: (content: MailContents[Kind]) => MailText };

const TEMPLATES: Templates = {
  invitation: ({ role, inviterName, link, expiresAt }) =>
    written(`${short(inviterName)} invites you to Memoir`, [
      `${short(inviterName)} invites you to join a Memoir as ${role === 'admin' ? 'an admin' : 'a member'}.`,
      'Open this link and accept there. It works once:',
      link,
      `The link is valid until ${minute(expiresAt)}. If you do not know ${short(inviterName)}, ignore this mail.`,
    ]),
  signIn: ({ name, link }) =>
    written('Sign in to Memoir', [
      `Hello ${short(name)}, here is the link that signs you in. It works once, for 15 minutes:`,
      link,
      'If you did not ask for it, ignore this mail: nothing happens without the link.',
    ]),
  expiry: ({ name, keys, link }) =>
    written(
      keys.length === 1 ? `The key ${short(keys[0]?.name ?? '')} ends soon` : `${keys.length} keys end soon`,
      [
        `Hello ${short(name)}, after its end a key gets 401. Rotate it, or make a new one, before that.`,
        ...keys.map(keyLine),
        link,
      ],
    ),
  newSignIn: ({ name, at, userAgent, link }) =>
    written('New sign-in to Memoir', [
      `Hello ${short(name)}, somebody signed in as you on ${minute(at)} with ${short(userAgent) || 'an unnamed browser'}.`,
      'If that was not you, end the session and disable the key that was used:',
      link,
    ]),
  test: ({ by }) =>
    written('A test mail of Memoir', [
      `${short(by)} asked Memoir to send this mail. It arrived, so mail is set up.`,
    ]),
};

export const writeMail = <Kind extends keyof MailContents>(
  kind: Kind,
  content: MailContents[Kind],
): MailText => TEMPLATES[kind](content);
