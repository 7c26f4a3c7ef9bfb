// The settings of mail.
import { z } from 'zod';
import { defined } from '../../lib/defined.ts';
import { LOOPBACK } from '../../lib/own-address.ts';
import { type SettingTexts, settingGroup, withoutEffect } from '../declare.ts';

export interface SmtpConfig {
  host: string;
  port: number;
  /** TLS from the first byte, as smtps does. */
  tls: boolean;
  /** True: no mail goes out before STARTTLS. */
  requireTls: boolean;
  user?: string;
  password?: string;
  /** "Memoir <memoir@example.org>" or the address alone. */
  from: string;
}

export interface MailConfig {
  /** Null: no mail is sent. */
  smtp: SmtpConfig | null;
  /** The address that hears of keys that end, where there are no members. */
  mailTo?: string;
  /** A name of the IANA database; by default that of the machine. */
  timezone?: string;
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };
const ADDRESS = /^(?:[^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

const isSmtpUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && url.protocol in PORTS && url.hostname !== '' && /^\/?$/.test(url.pathname);
};

const isTimezone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

const withoutSender = (given: SettingTexts): string[] => {
  if (given.MEMOIR_SMTP_URL === undefined) return [];
  return [
    ...(given.MEMOIR_MAIL_FROM === undefined
      ? ['MEMOIR_SMTP_URL needs MEMOIR_MAIL_FROM: the address that mails come from.']
      : []),
    ...(given.MEMOIR_BASE_URL === undefined
      ? [
          'MEMOIR_SMTP_URL needs MEMOIR_BASE_URL, because mails have links: the address in a request could be that of a stranger.',
        ]
      : []),
  ];
};

const smtpOf = (text: string, from: string): SmtpConfig => {
  const url = new URL(text);
  const password = decodeURIComponent(url.password);
  return {
    ...{ host: url.hostname, port: url.port === '' ? (PORTS[url.protocol] ?? 587) : Number(url.port), from },
    tls: url.protocol === 'smtps:',
    requireTls: !LOOPBACK.includes(url.hostname) && url.searchParams.get('tls') !== 'off',
    ...(url.username === '' ? {} : { user: decodeURIComponent(url.username), password }),
  };
};

export const mailSettings = settingGroup({
  order: 16,
  title: 'Mail',
  settings: {
    MEMOIR_SMTP_URL: {
      type: z
        .string()
        .refine(isSmtpUrl, {
          error: 'the address of a mail server, as in smtp://user:password@mail.example.org:587',
        })
        .optional(),
      help: 'The mail server for invitations, sign-in links and notices of keys that end: smtp:// or smtps://, with user and password. Characters with a meaning in addresses are percent-encoded. STARTTLS is required unless the server runs on this machine; ?tls=off turns that off.',
      default: 'no mail is sent; links are shown, to be handed over',
      secret: true,
    },
    MEMOIR_MAIL_FROM: {
      type: z.string().regex(ADDRESS, { error: 'an address, as in Memoir <memoir@example.org>' }).optional(),
      help: 'The address that mails come from, with a name if wanted.',
      default: 'none; MEMOIR_SMTP_URL needs it',
    },
    MEMOIR_MAIL_TO: {
      type: z.email({ error: 'an address, as in ada@example.org' }).optional(),
      help: 'Who hears of keys that end while the organisation has no owners and admins with an address.',
      default: 'nobody',
    },
    MEMOIR_TIMEZONE: {
      type: z.string().refine(isTimezone, { error: 'a time zone, as in Europe/Berlin' }).optional(),
      help: 'The time zone of the people who get mail: notices of keys that end are sent after 08:00, at most one a day.',
      default: 'that of the machine',
    },
  },
  view: (values): MailConfig => ({
    smtp:
      values.MEMOIR_SMTP_URL === undefined || values.MEMOIR_MAIL_FROM === undefined
        ? null
        : smtpOf(values.MEMOIR_SMTP_URL, values.MEMOIR_MAIL_FROM),
    ...defined({ mailTo: values.MEMOIR_MAIL_TO, timezone: values.MEMOIR_TIMEZONE }),
  }),
  problems: withoutSender,
  warnings: (values) => withoutEffect(values, 'MEMOIR_SMTP_URL', ['MEMOIR_MAIL_FROM', 'MEMOIR_MAIL_TO']),
});
