// Identifiers: 22 characters of base58 over 128 bits, 48 of time and 80 of chance, so that later ids sort later.
import { randomBytes } from 'node:crypto';

/** In ASCII order: comparing ids as bytes compares the numbers they stand for. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const LENGTH = 22;
const ID = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

let last = { time: 0, chance: 0n };

const random = (bytes: number): bigint => BigInt(`0x${randomBytes(bytes).toString('hex')}`);

/** Within one millisecond, or while the clock stands back, each id is a random step above the one before. */
function next(now: number): bigint {
  last =
    now > last.time ? { time: now, chance: random(10) } : { ...last, chance: last.chance + 1n + random(4) };
  return (BigInt(last.time) << 80n) + last.chance;
}

function base58(value: bigint): string {
  let rest = value;
  let text = '';
  for (let digit = 0; digit < LENGTH; digit++) {
    text = ALPHABET.charAt(Number(rest % 58n)) + text;
    rest /= 58n;
  }
  return text;
}

/** A new identifier: exactly 22 characters, sortable by creation within this process. */
export const newId = (): string => base58(next(Date.now()));

/** Whether a text has the form of an identifier; says nothing about whether it exists. */
export const isId = (text: string): boolean => ID.test(text);
