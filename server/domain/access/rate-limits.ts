// Rate limits: of calls by a key, and of failed authentication by an address.
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { MemoirError } from '../../core/errors.ts';
import type { Principal, RateLimit } from '../../core/principal.ts';

/** Wrong keys from one address within a minute. */
const FAILURES = { max: 60, windowMs: 60_000 };
/** Wrong keys on the connect page; a person makes few mistakes. */
const SIGN_INS = { max: 10, windowMs: 600_000 };
/** Requests without a key that store something, such as the registration of a program. */
const ANONYMOUS = { max: 120, windowMs: 60_000 };
/** A client with automatic retries waits as long as `Retry-After` says; after a longer wait the user should decide. */
const LONG_WAIT_MS = 60_000;

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
  /** Counts one request without a key; 429 beyond the limit. */
  anonymous(address: string): Promise<void>;
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

const tooMany = (sentence: string, waitMs: number): MemoirError => {
  const wait = Math.max(1, Math.ceil(waitMs));
  const seconds = Math.ceil(wait / 1000);
  return new MemoirError(
    429,
    `${sentence} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    {
      headers: {
        'retry-after': String(seconds),
        'retry-after-ms': String(wait),
        ...(wait > LONG_WAIT_MS ? { 'x-should-retry': 'false' } : {}),
      },
    },
  );
};

const tooManyFailures = (waitMs: number): MemoirError =>
  tooMany('Too many requests with a wrong API key came from this address.', waitMs);

export const createLimits = (): Limits => {
  // Each key has a limit of its own, so the limiter only counts and the comparison is ours.
  const requests = new RateLimiterMemory({ keyPrefix: '', points: Number.MAX_SAFE_INTEGER, duration: 60 });
  const counting = ({ max, windowMs }: { max: number; windowMs: number }) =>
    new RateLimiterMemory({ keyPrefix: '', points: max, duration: windowMs / 1000 });
  const failures = counting(FAILURES);
  const signIns = counting(SIGN_INS);
  const anonymous = counting(ANONYMOUS);

  const count = async (keyId: string, { max, windowMs }: RateLimit, sentence: (rate: string) => string) => {
    const used = await requests.consume(keyId, 1, { customDuration: windowMs / 1000 });
    if (used.consumedPoints <= max) return;
    const window = windowMs === 1000 ? 'second' : `${windowMs / 1000} seconds`;
    throw tooMany(sentence(`${max} ${max === 1 ? 'request' : 'requests'} per ${window}`), used.msBeforeNext);
  };

  return {
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
      const used = await failures.get(networkOf(address));
      if (used !== null && used.consumedPoints >= FAILURES.max) throw tooManyFailures(used.msBeforeNext);
    },
    async failure(address) {
      const used = await failures.penalty(networkOf(address));
      if (used.consumedPoints > FAILURES.max) throw tooManyFailures(used.msBeforeNext);
    },
    async checkSignIn(address) {
      const used = await signIns.get(networkOf(address));
      if (used !== null && used.consumedPoints >= SIGN_INS.max) throw tooManyFailures(used.msBeforeNext);
    },
    async signInFailed(address) {
      await signIns.penalty(networkOf(address));
    },
    async anonymous(address) {
      const used = await anonymous.penalty(networkOf(address));
      if (used.consumedPoints > ANONYMOUS.max)
        throw tooMany('Too many requests without a key came from this address.', used.msBeforeNext);
    },
  };
};
