// The server's own addresses: its public address if it is known, and those of this machine.

export const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export const MCP_PATH = '/mcp';

/** The resources that a token can be issued for: the agent tools, or everything. */
export const resourcesAt = (address: string): string[] => [`${address}${MCP_PATH}`, address, `${address}/`];

/** `base` without a slash at its end; empty: not known. */
export const isOwnResource = (base: string, resource: string): boolean => {
  if (base !== '' && resourcesAt(base).includes(resource)) return true;
  const url = URL.parse(resource);
  if (url === null || url.protocol !== 'http:' || !LOOPBACK.includes(url.hostname)) return false;
  return resourcesAt(url.origin).includes(resource);
};

/** The page on which a person chooses the content of a connection. */
export const CHOICE_PATH = '/connections/:id/choose';

export const choiceAddress = (base: string, connection: string, ticket: string): string =>
  `${base}${CHOICE_PATH.replace(':id', encodeURIComponent(connection))}?ticket=${ticket}`;

/** The address that a source calls when something changes. The last part is a secret. */
export const HOOK_PATH = '/v3/connections/hooks/:provider/:token';

export const hookAddress = (base: string, provider: string, token: string): string =>
  `${base}${HOOK_PATH.replace(':provider', provider).replace(':token', token)}`;

/** The address to which a source sends the browser back after a sign-in. */
export const callbackAddress = (base: string, provider: string): string =>
  `${base}/v3/connections/auth/callback/${provider}`;
