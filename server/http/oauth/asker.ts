// Who asks for access, as the connect page shows it.

export interface Asker {
  /** As it calls itself. */
  name: string;
  /** What is known of it beside its name, each with what it is. */
  facts: readonly (readonly [label: string, value: string])[];
  /** Where the answer goes. */
  redirectHost: string;
  /** The source that a form may lead to. */
  redirectSource: string;
  mayWrite: boolean;
  /** What a ticket is good for. */
  request: string;
  action: string;
}

const NAME_LENGTH = 80;

/** Nothing that would turn text around or hide a part of it. */
export const tame = (text: string): string => {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return plain.length > NAME_LENGTH ? `${plain.slice(0, NAME_LENGTH)}…` : plain;
};

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** A program's own scheme, as in `cursor://…`, stays on the machine. */
export function placeOf(redirect: string): { host: string; source: string; words: string } {
  const url = new URL(redirect);
  if (!/^https?:$/.test(url.protocol))
    return { host: url.protocol, source: url.protocol, words: `a program on this machine (${url.protocol})` };
  const words = LOOPBACK.test(url.hostname) ? `a program on this machine (${url.host})` : url.host;
  return { host: url.host, source: url.origin, words };
}
