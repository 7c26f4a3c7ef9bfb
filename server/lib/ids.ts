// Identifiers: 22 characters of base58 over 128 bits, 48 of time and 80 of chance, so that later ids sort later.
import { randomBytes, randomInt } from 'node:crypto';

/** In ASCII order: comparing ids as bytes compares the numbers they stand for. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const LENGTH = 22;
const ID = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** As many digits as fit in a number are converted at once. */
const GROUP_DIGITS = 5;
const GROUP = 58n ** BigInt(GROUP_DIGITS);

const LARGEST_STEP = 2 ** 47;

let last = { time: 0, chance: 0n };

/** The highest bit is zero, which leaves room for the steps within a millisecond. */
const freshChance = (): bigint => BigInt(`0x${randomBytes(10).toString('hex')}`) >> 1n;

/** Within one millisecond, or after the clock was set back, each id is a random step above the previous one. */
const nextNumber = (now: number): bigint => {
  last =
    now > last.time
      ? { time: now, chance: freshChance() }
      : { time: last.time, chance: last.chance + BigInt(randomInt(1, LARGEST_STEP)) };
  return (BigInt(last.time) << 80n) + last.chance;
};

const base58 = (value: bigint): string => {
  let text = '';
  for (let rest = value; text.length < LENGTH; rest /= GROUP) {
    let group = Number(rest % GROUP);
    for (let digit = 0; digit < GROUP_DIGITS && text.length < LENGTH; digit++) {
      text = ALPHABET.charAt(group % 58) + text;
      group = Math.floor(group / 58);
    }
  }
  return text;
};

/** A new identifier: exactly 22 characters, sortable by creation within this process. */
export const newId = (): string => base58(nextNumber(Date.now()));

/** True if a text has the form of an identifier; it need not exist. */
export const isId = (text: string): boolean => ID.test(text);
/** In one order in every write, so that two of them never wait for each other. */
export const inOrderOfIds = <Use extends { readonly id: string }>(uses: readonly Use[]): readonly Use[] =>
  uses.toSorted((a, b) => (a.id < b.id ? -1 : 1));
