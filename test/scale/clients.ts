// Clients of a fleet: each sends its documents one after the other, and each document until some process acknowledges it.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, chanceOf } from '../adapters/store/contract/chance.ts';

/** The outcome of one call. */
export interface CallOutcome {
  readonly url: string;
  /** 0: no answer. */
  readonly status: number;
  readonly ms: number;
}

export interface Load {
  /** The texts that a process acknowledged, by customId. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Calls that got no answer, or a 5xx: the client sent them again. */
  repeated(): number;
  /** Resolves when every client has its last answer. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly clients: number;
  readonly containers: number;
  readonly key: string;
  readonly seed: number;
  /** The address of the next call of a client; undefined: there is none at the moment. */
  readonly to: (client: number, chance: Chance) => string | undefined;
  readonly told?: (outcome: CallOutcome) => void;
}

const NO_ANSWER_MS = 20_000;
const LONGEST_REST_MS = 60;
const BEFORE_REPEATED_MS = 50;

export const postJson = async (url: string, key: string, path: string, body: object): Promise<number> => {
  try {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(NO_ANSWER_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
};

/** The customId makes the repetition harmless. */
export const startLoad = ({ clients, containers, key, seed, to, told }: LoadOptions): Load => {
  const acknowledged = new Map<string, string>();
  const chance = chanceOf(seed);
  let repeated = 0;
  let stopping = false;

  const send = async (client: number, body: object): Promise<number> => {
    const url = to(client, chance);
    if (url === undefined) return 0;
    const began = performance.now();
    const status = await postJson(url, key, '/v3/documents', body);
    told?.({ url, status, ms: performance.now() - began });
    return status;
  };

  const run = async (client: number): Promise<void> => {
    for (let n = 0; !stopping; n++) {
      const customId = `client-${client}-${n}`;
      const content = `Client ${client} noted number ${n}: the ferry of line ${chance.below(1000)} leaves from quay ${n}.`;
      const body = { content, customId, containerTag: `tag-${chance.below(containers)}` };
      while (!stopping) {
        const status = await send(client, body);
        if (status === 200) acknowledged.set(customId, content);
        if (status >= 200 && status < 500) break;
        repeated += 1;
        await sleep(BEFORE_REPEATED_MS);
      }
      await sleep(chance.below(LONGEST_REST_MS));
    }
  };

  const running = Array.from({ length: clients }, (_, client) => run(client));
  return {
    acknowledged,
    repeated: () => repeated,
    async stop() {
      stopping = true;
      await Promise.all(running);
    },
  };
};
