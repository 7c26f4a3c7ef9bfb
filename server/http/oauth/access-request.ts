// A request for access, as the connect page shows it.

export interface ConsentRequest {
  /** The name that the program gave. */
  name: string;
  /** Facts about the program, each with a label. */
  facts: readonly (readonly [label: string, value: string])[];
  /** The host that receives the answer. */
  redirectHost: string;
  /** The source that the form may redirect to. */
  redirectSource: string;
  mayWrite: boolean;
  /** The request that a ticket is valid for. */
  request: string;
  action: string;
}

const NAME_LENGTH = 80;

/** Removes characters that would reverse the text direction or hide a part of the text. */
export const safeLabel = (text: string): string => {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return plain.length > NAME_LENGTH ? `${plain.slice(0, NAME_LENGTH)}…` : plain;
};

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** A custom scheme, for example `cursor://…`, opens a program on the same machine. */
export const redirectTarget = (redirect: string): { host: string; source: string; words: string } => {
  const url = new URL(redirect);
  if (!/^https?:$/.test(url.protocol))
    return { host: url.protocol, source: url.protocol, words: `a program on this machine (${url.protocol})` };
  const words = LOOPBACK.test(url.hostname) ? `a program on this machine (${url.host})` : url.host;
  return { host: url.host, source: url.origin, words };
};
