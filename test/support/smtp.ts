// A real mail server on the loopback, which keeps what it gets.
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { found } from './until.ts';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** As it was sent, with the line breaks of quoted-printable undone. */
  text: string;
  messageId: string;
}

export interface TestSmtp {
  url: string;
  received: ReceivedMail[];
  /** The answers to the next mails: an error is sent instead of taking the mail. */
  refuse(...answers: { code: number; message: string }[]): void;
  /** The next mail to the address that is not among those before. */
  mailTo(address: string, after?: number): Promise<ReceivedMail>;
  close(): Promise<void>;
}

const readable = (raw: string): string =>
  raw
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const streamText = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
};

export const startSmtp = async (options: SMTPServerOptions = {}): Promise<TestSmtp> => {
  const received: ReceivedMail[] = [];
  const refusals: { code: number; message: string }[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    onData(stream, session, done) {
      streamText(stream).then((raw) => {
        const refusal = refusals.shift();
        if (refusal !== undefined) {
          done(Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: readable(raw),
          messageId: /^Message-ID: (<.*>)/im.exec(raw)?.[1] ?? '',
        });
        done();
      }, done);
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse: (...answers) => void refusals.push(...answers),
    mailTo: (address, after = 0) =>
      found(
        `a mail to ${address}`,
        async () => received.slice(after).find(({ to }) => to.includes(address)) ?? null,
      ),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

/** The link in a mail. */
export const linkIn = ({ text }: ReceivedMail): string =>
  /https?:\/\/\S+\/console\/\S+/.exec(text)?.[0] ?? '';
