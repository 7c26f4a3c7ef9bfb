// The settings of a PostgreSQL that stands in the place of the embedded database.
import { resolve } from 'node:path';
import { z } from 'zod';
import { type SettingTexts, settingGroup, withoutEffect } from '../declare.ts';
import { wholeNumberSetting } from '../value-types.ts';

export interface DatabaseConfig {
  /** Null: the embedded database in the data folder. */
  database: PostgresConfig | null;
  /** Absolute; null: a folder in the data folder. */
  filesDir: string | null;
}

export interface PostgresConfig {
  /** With its password. */
  url: string;
  /** Not through a pooler: for migrations and notifications. */
  directUrl: string;
  /** The most connections of this process. */
  connections: number;
  /** A pooler gives each transaction another connection. */
  pooled: boolean;
}

const isPostgresAddress = (text: string): boolean =>
  /^postgres(?:ql)?:\/\//.test(text) && (URL.parse(text)?.hostname ?? '') !== '';

/** An address without a host before the database: user, port, database, and parameters that name the host. */
const HOST_BEHIND = /^postgres(?:ql)?:\/\/(?:([^@/?]*)@)?(?::(\d+))?\/([^?]*)\?(.+)$/;

/**
 * The host stands in its place afterwards, also the folder of a Unix socket (`%2Fvar%2Frun%2Fpostgresql`), because an address
 * without a host cannot hold a user and a password.
 */
export const postgresAddress = (text: string): string => {
  const [, access = '', port, database = '', behind = ''] = HOST_BEHIND.exec(text) ?? [];
  const parameters = new URLSearchParams(behind);
  const take = (name: string): string | null => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value;
  };
  const host = take('host');
  if (host === null) return text;
  const url = URL.parse(`postgres://${access}@${encodeURIComponent(host)}/${database}`);
  if (url === null) return text;
  url.port = port ?? take('port') ?? '';
  url.username ||= encodeURIComponent(take('user') ?? '');
  url.password ||= encodeURIComponent(take('password') ?? '');
  url.search = parameters.toString();
  return url.href;
};

const databaseAddress = z.string().transform(postgresAddress).refine(isPostgresAddress, {
  error:
    'an address as in postgres://memoir@database.example.org:5432/memoir, or postgres://memoir@/memoir?host=/var/run/postgresql',
});

const withPassword = (address: string, password: string | undefined): string => {
  if (password === undefined) return address;
  const url = new URL(address);
  url.password = encodeURIComponent(password);
  return url.href;
};

const NEEDED: Readonly<Record<string, string>> = {
  MEMOIR_SECRET_KEY: 'at least 32 characters that stay the same, as from openssl rand -base64 36',
  CHROMA_URL: 'the address of a Chroma server',
};

const missing = (given: SettingTexts): string[] =>
  given.MEMOIR_DATABASE_URL === undefined
    ? []
    : Object.entries(NEEDED)
        .filter(([name]) => given[name] === undefined)
        .map(([name, what]) => `${name} is needed with MEMOIR_DATABASE_URL: set it to ${what}.`);

export const databaseSettings = settingGroup({
  order: 1.5,
  title: 'Database',
  settings: {
    MEMOIR_DATABASE_URL: {
      type: databaseAddress.optional(),
      help: 'The address of a PostgreSQL database, 15 or newer, as in postgres://memoir@db.example.org/memoir, or by a Unix socket, as in postgres://memoir@/memoir?host=/var/run/postgresql. MEMOIR_SECRET_KEY and CHROMA_URL are needed with it. See [PostgreSQL](operations/postgres.md).',
      default: 'the embedded database in the data folder',
      secret: true,
    },
    MEMOIR_DATABASE_PASSWORD: {
      type: z.string().optional(),
      help: 'The password of the user in MEMOIR_DATABASE_URL.',
      default: 'the password in MEMOIR_DATABASE_URL, or none',
      secret: true,
    },
    MEMOIR_DATABASE_DIRECT_URL: {
      type: databaseAddress.optional(),
      help: 'The address of the same database without a pooler, for migrations and notifications.',
      default: 'MEMOIR_DATABASE_URL',
      secret: true,
    },
    MEMOIR_DATABASE_CONNECTIONS: {
      type: wholeNumberSetting(8, 1000).default(16),
      help: 'The most connections of this process to the database: half of them for reads, a quarter each for writes of requests and for ingestion. Up to three more are for notifications and for noticing a silent network.',
      default: '16',
    },
    MEMOIR_DATABASE_POOLED: {
      type: z.enum(['0', '1'], { error: '0 or 1' }).default('0'),
      help: 'Set it to 1 if MEMOIR_DATABASE_URL leads to a pooler in transaction mode, as PgBouncer is. Statements are then not prepared.',
      default: '0',
    },
    MEMOIR_FILES_DIR: {
      type: z.string().optional(),
      help: 'The folder of uploaded files.',
      default: 'files in the data folder',
    },
  },
  view: (values): DatabaseConfig => {
    const { MEMOIR_DATABASE_URL: url, MEMOIR_DATABASE_PASSWORD: password } = values;
    const filesDir = values.MEMOIR_FILES_DIR === undefined ? null : resolve(values.MEMOIR_FILES_DIR);
    if (url === undefined) return { database: null, filesDir };
    const database: PostgresConfig = {
      url: withPassword(url, password),
      directUrl: withPassword(values.MEMOIR_DATABASE_DIRECT_URL ?? url, password),
      connections: values.MEMOIR_DATABASE_CONNECTIONS,
      pooled: values.MEMOIR_DATABASE_POOLED === '1',
    };
    return { database, filesDir };
  },
  problems: missing,
  warnings: (values) =>
    withoutEffect(values, 'MEMOIR_DATABASE_URL', ['MEMOIR_DATABASE_PASSWORD', 'MEMOIR_DATABASE_DIRECT_URL']),
});
