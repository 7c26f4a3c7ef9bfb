// Connections to public addresses only: the checked address is the connected address.
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isPublic } from './addresses.ts';
import { fetchError } from './failures.ts';
import { blockedAddress, type Trusted } from './target.ts';

export interface ConnectionLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** The longest pause between two pieces of a body. */
  readonly bodyMs: number;
}

export interface SafeConnectionOptions {
  readonly limits: ConnectionLimits;
  /** Default: the system's. */
  readonly lookup?: LookupFunction;
  readonly trusted: Trusted;
}

const MOST_HEADER_BYTES = 32 * 1024;
const KEEP_ALIVE_MS = 1_000;

/** Looks a name up and refuses it when one of its addresses is not public. */
const publicLookup =
  (lookup: LookupFunction, allowed: (address: string) => boolean): LookupFunction =>
  (host, options, answer) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return answer(error, []);
      const addresses = Array.isArray(found) ? found : [];
      const [first] = addresses;
      if (first === undefined) return answer(fetchError('dns_empty', `The host ${host} has no address.`), []);
      if (!addresses.every(({ address }) => allowed(address))) return answer(blockedAddress(host), []);
      if (options.all === true) answer(null, addresses);
      else answer(null, first.address, first.family);
    });
  };

/** Literal addresses are never looked up, so the address of the open socket is checked as well. */
const publicConnect =
  (connect: buildConnector.connector, allowed: (address: string) => boolean): buildConnector.connector =>
  (options, answer) => {
    connect(options, (error, socket) => {
      if (error !== null) return answer(error, null);
      if (allowed((socket as Socket).remoteAddress ?? '')) return answer(null, socket);
      socket.destroy();
      answer(blockedAddress(options.hostname), null);
    });
  };

export const openConnections = ({ limits, lookup, trusted }: SafeConnectionOptions): Dispatcher => {
  const allowed = (address: string) => isPublic(address) || trusted.address(address);
  const connector = buildConnector({
    lookup: publicLookup(lookup ?? (systemLookup as LookupFunction), allowed),
    timeout: limits.connectMs,
    allowH2: false,
  });
  return new Agent({
    connect: publicConnect(connector, allowed),
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyMs,
    maxHeaderSize: MOST_HEADER_BYTES,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    allowH2: false,
  });
};
