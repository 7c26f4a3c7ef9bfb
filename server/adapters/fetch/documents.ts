// Small documents of the public web for requests that wait for them. The HTTP library is loaded on first use.
import type { SafeFetch, Seams } from './safe/safe-fetch.ts';

export interface FetchedDocument {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface WebDocuments {
  /** Only from exactly this address: a redirect is answered as status 302. */
  open(address: string, signal: AbortSignal): Promise<FetchedDocument>;
  close(): Promise<void>;
}

const REDIRECTED = 302;

export const createWebDocuments = (userAgent: string, standIns: Seams['standIns'] = {}): WebDocuments => {
  let loading: Promise<SafeFetch> | undefined;
  const load = () => {
    loading ??= import('./safe/safe-fetch.ts').then(({ createSafeFetch }) =>
      createSafeFetch({ userAgent, seams: { standIns } }),
    );
    return loading;
  };
  return {
    async open(address, signal) {
      const fetched = await (await load())(address, { signal, headers: { accept: 'application/json' } });
      if (fetched.url.href === address) return fetched;
      fetched.discard();
      return { status: REDIRECTED, headers: {}, body: (async function* () {})() };
    },
    async close() {
      await (await loading)?.close();
    },
  };
};
