// Checks an address by its text: protocol, host name, port. The connection checks the network address behind a name.
import { isIP } from 'node:net';
import { isMachineMetadata, isPublic } from './addresses.ts';
import { fetchError } from './failures.ts';

/** The usual ports of the web; others belong to databases, mail and machines. */
const PORTS = new Set(['', '80', '443', '8080', '8443']);

/** Names that exist only in private networks. */
const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)$/i;

export const parseTarget = (address: string, base?: URL): URL | null => URL.parse(address, base);

/** Without the brackets of IPv6 and the dot that ends a full name. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');

const notPublic = (host: string, reason: string): string =>
  `The host ${host} ${reason}, and Memoir reads only the public web. Send the text itself, or upload the file.`;

export const blockedAddress = (host: string) =>
  fetchError('blocked_address', notPublic(host, 'has an address inside a private network'));

/** Addresses and ports of the servers of tests. */
export interface Trusted {
  address(address: string): boolean;
  port(port: string): boolean;
}

export const trustNobody: Trusted = { address: () => false, port: () => false };

/** Throws for an address whose form is not allowed. */
const checkForm = (url: URL): void => {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw fetchError('bad_scheme', `Memoir reads http and https addresses, not ${url.protocol} ones.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw fetchError(
      'url_credentials',
      'The address contains a user name or a password, which Memoir does not send. Send the text itself.',
    );
  }
};

/** For a host that the settings allow although it is private. */
export const checkPrivateTarget = (url: URL): void => {
  checkForm(url);
  if (isMachineMetadata(hostOf(url))) throw blockedAddress(hostOf(url));
};

/** Throws for an address that is not allowed. */
export const checkTarget = (url: URL, trusted: Trusted): void => {
  checkForm(url);
  const host = hostOf(url);
  if (isIP(host) !== 0) {
    if (!isPublic(host) && !trusted.address(host)) throw blockedAddress(host);
  } else if (!host.includes('.') || PRIVATE_NAME.test(host)) {
    throw fetchError('blocked_host', notPublic(host, 'is a name inside a private network'));
  }
  if (!PORTS.has(url.port) && !trusted.port(url.port)) {
    throw fetchError(
      'blocked_port',
      `Memoir uses the usual ports of web servers (80, 443, 8080, 8443), not ${url.port}.`,
    );
  }
};
