// Small documents of the public web that a request waits for; what fetches them is loaded when the first is asked for.
import type { SafeFetch, Seams } from './safe-fetch.ts';

export interface WebDocument {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface WebDocuments {
  /** Of exactly this address: one that leads elsewhere is answered as it is. */
  open(address: string, signal: AbortSignal): Promise<WebDocument>;
  close(): Promise<void>;
}

const LED_AWAY = 302;

export function createWebDocuments(userAgent: string, standIns: Seams['standIns'] = {}): WebDocuments {
  let loading: Promise<SafeFetch> | undefined;
  const load = () => {
    loading ??= import('./safe-fetch.ts').then(({ createSafeFetch }) =>
      createSafeFetch({ userAgent, seams: { standIns } }),
    );
    return loading;
  };
  return {
    async open(address, signal) {
      const fetched = await (await load())(address, { signal, headers: { accept: 'application/json' } });
      if (fetched.url.href === address) return fetched;
      fetched.letGo();
      return { status: LED_AWAY, headers: {}, body: (async function* () {})() };
    },
    async close() {
      await (await loading)?.close();
    },
  };
}
