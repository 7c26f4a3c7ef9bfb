// Rate limits: of calls by a key, and of failed authentication by an address.

import { LRUCache } from 'lru-cache';
import { type MemoirError, tooMany } from '../../core/errors.ts';
import type { Principal, RateLimit } from '../../core/principal.ts';
import type { RateCounts } from '../../core/processes/rate-counts.ts';
import { createMemoryCounts } from './rate-counts.ts';

/** Wrong keys from one address within a minute. */
const FAILURES = { max: 60, windowMs: 60_000 };
/** Wrong keys on the connect page; a person makes few mistakes. */
const SIGN_INS = { max: 10, windowMs: 600_000 };
/** Requests without a key that store something, such as the registration of a program. */
const ANONYMOUS = { max: 120, windowMs: 60_000 };
/** Deliveries of one webhook: many more than looks that they lead to. */
const DELIVERIES = { max: 1_200, windowMs: 60_000 };
/** Sign-in links: by an address that asks, and by a member who gets them. */
const LINKS = { max: 5, windowMs: 3_600_000 };
const MOST_OVER = 10_000;

export interface Limits {
  /** Counts one request of this key, also for its makers; 429 beyond a limit. */
  request(holder: Principal): Promise<void>;
  /** 429 after too many wrong keys from this address; counts nothing. */
  checkFailures(address: string): Promise<void>;
  /** Counts one wrong key; 429 from the first one too many. */
  failure(address: string): Promise<void>;
  /** 429 after too many wrong keys on the connect page; counts nothing. */
  checkSignIn(address: string): Promise<void>;
  signInFailed(address: string): Promise<void>;
  /** The same for a wrong sign-in link, which counts like a wrong key. */
  linkFailed(address: string): Promise<void>;
  /** Counts one request for a sign-in link; 429 beyond the limit. */
  link(address: string): Promise<void>;
  /** The same for the member who gets the link; false beyond the limit, which nobody is told. */
  memberLink(memberId: string): Promise<boolean>;
  /** Counts one request without a key; 429 beyond the limit. */
  anonymous(address: string): Promise<void>;
  /** Counts one delivery of a webhook; 429 beyond the limit. */
  hook(tokenHash: string): Promise<void>;
}

/** The owner of one IPv6 address has its whole /64, so the /64 counts as one address. */
export const networkOf = (address: string): string => {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
};

const tooManyFailures = (waitMs: number): MemoirError =>
  tooMany('Too many requests with a wrong API key came from this address.', waitMs);

/** A name that is over its limit is refused without another look at shared counts until its time is over. */
const createCounting = (counts: RateCounts) => {
  const over = new LRUCache<string, number>({ max: MOST_OVER });
  return async (name: string, { max, windowMs }: RateLimit): Promise<number | null> => {
    // Nothing is known yet of a limit that was changed.
    const limited = `${name} ${max}`;
    const known = (over.get(limited) ?? 0) - performance.now();
    if (known > 0) return known;
    const { count, waitMs } = await counts.add(name, windowMs);
    if (count <= max) return null;
    over.set(limited, performance.now() + waitMs);
    return waitMs;
  };
};

export const rateInWords = ({ max, windowMs }: RateLimit): string => {
  const window = windowMs === 1000 ? 'second' : `${windowMs / 1000} seconds`;
  return `${max} ${max === 1 ? 'request' : 'requests'} per ${window}`;
};

type Counting = ReturnType<typeof createCounting>;

/** The limits of callers that have no key. */
const createKeylessLimits = (add: Counting): Pick<Limits, 'link' | 'hook' | 'anonymous'> => {
  const within = async (name: string, limit: RateLimit, sentence: string): Promise<void> => {
    const waitMs = await add(name, limit);
    if (waitMs !== null) throw tooMany(sentence, waitMs);
  };
  const [links, requests] = [
    'Too many sign-in links were asked for from this address.',
    'Too many requests without a key came from this address.',
  ];
  return {
    link: (address) => within(`link for ${networkOf(address)}`, LINKS, links),
    hook: (tokenHash) => within(`hook ${tokenHash}`, DELIVERIES, 'Too many calls of this webhook came.'),
    anonymous: (address) => within(`no key ${networkOf(address)}`, ANONYMOUS, requests),
  };
};

export const createLimits = (
  counts: RateCounts = createMemoryCounts(),
  refused: (address: string) => void = () => undefined,
): Limits => {
  /** The wait of one that is over its limit; else null. */
  const add = createCounting(counts);
  const isFull = async (name: string, { max }: RateLimit): Promise<number | null> => {
    const used = await counts.look(name);
    return used !== null && used.count >= max ? used.waitMs : null;
  };

  const count = async (keyId: string, limit: RateLimit, sentence: (rate: string) => string) => {
    const waitMs = await add(`key ${keyId}`, limit);
    if (waitMs !== null) throw tooMany(sentence(rateInWords(limit)), waitMs);
  };

  const failure = async (address: string): Promise<void> => {
    const waitMs = await add(`wrong key ${networkOf(address)}`, FAILURES);
    if (waitMs !== null) throw tooManyFailures(waitMs);
  };

  return {
    ...createKeylessLimits(add),
    async request({ keyId, rateLimit, makerLimits = [] }) {
      if (rateLimit !== null) await count(keyId, rateLimit, (rate) => `This key may make ${rate}.`);
      for (const limit of makerLimits)
        await count(
          limit.keyId,
          limit,
          (rate) => `The key that made this one may make ${rate}, with all that it made.`,
        );
    },
    async checkFailures(address) {
      const waitMs = await isFull(`wrong key ${networkOf(address)}`, FAILURES);
      if (waitMs !== null) throw tooManyFailures(waitMs);
    },
    failure,
    async linkFailed(address) {
      refused(address);
      await failure(address);
    },
    async checkSignIn(address) {
      const waitMs = await isFull(`sign-in ${networkOf(address)}`, SIGN_INS);
      if (waitMs !== null) throw tooManyFailures(waitMs);
    },
    async signInFailed(address) {
      refused(address);
      await counts.add(`sign-in ${networkOf(address)}`, SIGN_INS.windowMs);
    },
    memberLink: async (memberId) => (await add(`link of ${memberId}`, LINKS)) === null,
  };
};
