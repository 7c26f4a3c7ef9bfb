// The masked form of secrets in the settings.

const MASK = '••••';
/** The last characters of a shorter secret would reveal too much of it. */
const SHORTEST_WITH_END = 12;

/** The masked form: enough to recognise the secret. */
export const maskSecret = (secret: string): string =>
  secret.length < SHORTEST_WITH_END ? MASK : MASK + secret.slice(-4);

/** A client that sends the masked value back changes nothing. */
export const isMask = (text: string): boolean => text.startsWith(MASK);
