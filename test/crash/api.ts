// Calls to the server under test. A call that a kill interrupts is distinguished from an answered one.
import { setTimeout as sleep } from 'node:timers/promises';

export type Ask = <T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: T }>;

/** The server was killed before its answer: the call may have been done or not. */
export class CutOff extends Error {}

const LONGEST_CALL_MS = 20_000;

export const apiAt = (url: string, key: string): Ask => {
  return async (method, path, body) => {
    let text: string;
    let status: number;
    let isJson: boolean;
    try {
      const answer = await fetch(url + path, {
        method,
        signal: AbortSignal.timeout(LONGEST_CALL_MS),
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      });
      status = answer.status;
      isJson = answer.headers.get('content-type')?.includes('json') ?? false;
      text = await answer.text();
    } catch (cause) {
      throw new CutOff(`${method} ${path} was cut off`, { cause });
    }
    if (status >= 500) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return { status, body: (text === '' ? {} : isJson ? JSON.parse(text) : text) as never };
  };
};

export const until = async (what: string, ms: number, look: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + ms;
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`Waited ${ms} ms in vain: ${what}`);
    await sleep(20);
  }
};
