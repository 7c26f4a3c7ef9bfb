// The log: one JSON line per event on stderr, and never a secret in it.
import pino, { type DestinationStream, type Logger } from 'pino';

export type Log = Logger;
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

export interface LogOptions {
  level?: LogLevel;
  /** Default: stderr, for stdout belongs to what commands answer. */
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

/** Secrets inside sentences and causes, where no field names them. */
const SECRETS = /\bsm_[1-9A-HJ-NP-Za-km-z]{22}_[^\s"\\]+|\bBearer [^\s"\\]+|\bsk-[\w-]{16,}/g;

export function createLog({ level = 'info', destination }: LogOptions = {}): Log {
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
}
