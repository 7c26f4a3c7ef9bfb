// Sends mails by SMTP. The library is loaded with the first mail.
import type { Transporter } from 'nodemailer';
import { MailError } from '../../core/errors.ts';
import type { MailTransport } from './port.ts';

export interface SmtpOptions {
  host: string;
  port: number;
  tls: boolean;
  requireTls: boolean;
  user?: string;
  password?: string;
  from: string;
}

const CONNECT_MS = 10_000;
/** The longest silence of a server in the middle of a mail. */
const SILENCE_MS = 30_000;

const domainOf = (from: string): string => /@([^\s<>@]+?)>?$/.exec(from)?.[1] ?? 'localhost';

const openTransport = async (options: SmtpOptions): Promise<Transporter> => {
  const { createTransport } = await import('nodemailer');
  const { host, port, tls, requireTls, user, password } = options;
  return createTransport({
    ...{ host, port, secure: tls, requireTLS: requireTls && !tls },
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    ...{ connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    // Nothing of a mail is read from files or addresses.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
};

interface SmtpFault {
  message?: string;
  code?: string;
  responseCode?: number;
}

/** A wrong password is no fault of the mail: it waits until the setting is right. */
const isFinalFault = ({ code, responseCode = 0 }: SmtpFault): boolean =>
  responseCode >= 500 && code !== 'EAUTH';

const asMailError = (cause: unknown, { host, port }: SmtpOptions): MailError => {
  const fault = (typeof cause === 'object' && cause !== null ? cause : {}) as SmtpFault;
  const why = fault.message ?? String(cause);
  return new MailError(`The mail server ${host}:${port} did not take the mail: ${why}`, {
    isFinal: isFinalFault(fault),
    cause,
  });
};

export const createSmtpTransport = (options: SmtpOptions): MailTransport => {
  let opening: Promise<Transporter> | undefined;
  return {
    async send({ id, to, subject, text, html }) {
      opening ??= openTransport(options);
      try {
        const { response } = await (await opening).sendMail({
          ...{ from: options.from, to, subject, text, html },
          // Made from the row, so that a mail that a crash sent twice is recognised as one.
          messageId: `<${id}@${domainOf(options.from)}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return String(response);
      } catch (cause) {
        throw asMailError(cause, options);
      }
    },
    close: () => void opening?.then((transport) => transport.close()),
  };
};
