// The log: one JSON line per event on stderr, without secrets.

import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../core/log.ts';

export type Log = Logger;

export interface LogOptions {
  level?: LogLevel;
  /** Default: stderr, because stdout is for the answers of commands. */
  destination?: DestinationStream;
}

const SECRET_FIELDS = [
  'key',
  'apiKey',
  'token',
  'secret',
  'password',
  'authorization',
  'cookie',
  '["x-api-key"]',
];

const redacted = SECRET_FIELDS.flatMap((field) => {
  const dotted = field.startsWith('[') ? field : `.${field}`;
  return [field, `*${dotted}`, `*.*${dotted}`];
});

/** Secrets inside messages, where no field name marks them. */
const SECRETS = /\bsm_[1-9A-HJ-NP-Za-km-z]{22}_[^\s"\\]+|\bBearer [^\s"\\]+|\bsk-[\w-]{16,}/g;

export const createLog = ({ level = 'info', destination }: LogOptions = {}): Log => {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: redacted, censor: '[secret]' },
      hooks: { streamWrite: (line) => line.replace(SECRETS, '[secret]') },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
};
