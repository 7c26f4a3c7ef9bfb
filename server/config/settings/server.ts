// The settings of the server itself.
import { resolve } from 'node:path';
import { z } from 'zod';
import type { LogLevel } from '../../core/log.ts';
import { PROCESS_ROLES, type ProcessRole } from '../../core/processes/role.ts';
import { defined } from '../../lib/defined.ts';
import { settingGroup } from '../declare.ts';
import { proxyList, webAddress, wholeNumberSetting } from '../value-types.ts';

const LOG_LEVELS = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'silent',
] as const satisfies LogLevel[];

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);

export interface ServerConfig {
  port: number;
  host: string;
  /** Absolute. */
  dataDir: string;
  /** Without a trailing slash. */
  baseUrl?: string;
  logLevel: LogLevel;
  /** The time that the queries of one call may run. */
  queryDeadlineMs: number;
  /** Empty: forwarded headers are not believed. */
  trustedProxies: readonly string[];
  /** The memory for request bodies, in bytes. */
  bodyMemory: number;
  role: ProcessRole;
}

export const serverSettings = settingGroup({
  order: 1,
  title: 'Server',
  settings: {
    PORT: {
      type: wholeNumberSetting(0, 65_535).default(6767),
      help: 'The port to listen on. 0 takes any free port and prints it.',
      default: '6767',
    },
    HOST: {
      type: z.string().default('127.0.0.1'),
      help: 'The address to listen on. 0.0.0.0 accepts calls from other machines.',
      default: '127.0.0.1, for this machine alone',
    },
    MEMOIR_DATA_DIR: {
      type: z.string().default('.memoir'),
      help: 'The folder that holds all data. It is created if it is missing.',
      default: '.memoir in the current folder',
    },
    MEMOIR_BASE_URL: {
      type: webAddress.optional(),
      help: 'The public address of the server, for links and descriptions behind a proxy. Sources of connections call it, if it is an https address that the internet reaches.',
      default: 'links to files use the address that the server listens on, other links are relative',
    },
    MEMOIR_TRUSTED_PROXIES: {
      type: proxyList.optional(),
      help: 'The proxies in front of the server, separated by commas: addresses, networks as in 10.0.0.0/8, or loopback. Their X-Forwarded-For and X-Forwarded-Proto are believed.',
      default: 'none; wrong keys are counted by the address of the connection',
    },
    MEMOIR_BODY_MEMORY_MIB: {
      type: wholeNumberSetting(64, 65_536).default(256),
      help: 'The memory for request bodies that are read or worked on, in MiB. One key may use a quarter of it, and at least 64 MiB. Further requests get 503 or 429 with Retry-After.',
      default: '256',
    },
    MEMOIR_ROLE: {
      type: z.enum(PROCESS_ROLES, { error: `one of ${PROCESS_ROLES.join(', ')}` }).default('all'),
      help: 'The share of the work of this process, where several use one PostgreSQL: api answers requests, worker reads, embeds and indexes what they stored, all does both. See [several machines](operations/scale.md).',
      default: 'all',
    },
    MEMOIR_LOG_LEVEL: {
      type: z.enum(LOG_LEVELS, { error: `one of ${LOG_LEVELS.join(', ')}` }).default('info'),
      help: `The log level on stderr: ${LOG_LEVELS.join(', ')}.`,
      default: 'info; warn on a terminal',
    },
    MEMOIR_QUERY_DEADLINE_MS: {
      type: wholeNumberSetting(10, 600_000).default(2_000),
      help: 'The processor time in milliseconds that the filters, scans and long lists of one call may take; on a busy machine four times as much may pass. After it the call gets 503. With PostgreSQL, and on systems other than Linux, the time that passes counts.',
      default: '2000',
    },
  },
  view: (values): ServerConfig => ({
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.MEMOIR_DATA_DIR),
    logLevel: values.MEMOIR_LOG_LEVEL,
    queryDeadlineMs: values.MEMOIR_QUERY_DEADLINE_MS,
    trustedProxies: values.MEMOIR_TRUSTED_PROXIES ?? [],
    bodyMemory: values.MEMOIR_BODY_MEMORY_MIB * 1024 * 1024,
    role: values.MEMOIR_ROLE,
    ...defined({ baseUrl: values.MEMOIR_BASE_URL }),
  }),
  problems: ({ MEMOIR_ROLE: role = 'all', MEMOIR_DATABASE_URL: database }) =>
    role === 'all' || database !== undefined
      ? []
      : [
          `MEMOIR_ROLE is ${role}, and the embedded database belongs to one process, which does everything: leave MEMOIR_ROLE out, or set MEMOIR_DATABASE_URL.`,
        ],
  warnings: ({ HOST, MEMOIR_BASE_URL, MEMOIR_TRUSTED_PROXIES }) => {
    if (MEMOIR_BASE_URL === undefined)
      return isLoopback(HOST)
        ? []
        : [
            `HOST is ${HOST}, so other machines can reach this server. Set MEMOIR_BASE_URL to the address that they use, and put a proxy with TLS in front, because every request carries a key.`,
          ];
    return MEMOIR_TRUSTED_PROXIES === undefined && MEMOIR_BASE_URL.startsWith('https:')
      ? [
          'MEMOIR_BASE_URL begins with https, so a proxy stands in front of this server. Set MEMOIR_TRUSTED_PROXIES to its address, for example loopback. Until then wrong keys are counted by the address of the proxy, for all clients together.',
        ]
      : [];
  },
});
