// Keeps the calls of each collection below the limits of Chroma Cloud, which refuses what is too much at once.
import { orAborted } from '../../../lib/async/or-aborted.ts';
import { withRetries } from '../../../lib/async/retry.ts';
import { type ChromaCall, ChromaError, type ChromaHttp } from './http.ts';

/** Chroma Cloud allows ten for each collection, for reads and for writes. */
const CALLS_AT_ONCE = 8;

/** Other processes use the same collection, so there may be too many all the same. */
const REFUSED = { attempts: Number.POSITIVE_INFINITY, firstWaitMs: 50, longestWaitMs: 1_000 };

const isTooMany = (error: unknown): boolean => error instanceof ChromaError && error.status === 429;

/** The calls of one path, first come, first served. */
interface Lane {
  running: number;
  readonly waiting: Set<() => void>;
}

const createLanes = () => {
  const lanes = new Map<string, Lane>();

  const leave = (path: string, lane: Lane): void => {
    const [next] = lane.waiting;
    if (next === undefined) lane.running -= 1;
    else {
      lane.waiting.delete(next);
      next();
    }
    if (lane.running === 0) lanes.delete(path);
  };

  /** Resolves when it is the caller's turn, with what ends the turn. */
  const enter = async (path: string, signal: AbortSignal): Promise<() => void> => {
    const lane = lanes.get(path) ?? { running: 0, waiting: new Set() };
    lanes.set(path, lane);
    const end = () => leave(path, lane);
    if (lane.running < CALLS_AT_ONCE) {
      lane.running += 1;
      return end;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    lane.waiting.add(resolve);
    try {
      await orAborted(promise, signal);
      return end;
    } catch (error) {
      // The call was given the turn while it left: the next one gets it.
      if (!lane.waiting.delete(resolve)) end();
      throw error;
    }
  };
  return { enter };
};

/** The waits for a turn and after refusals are part of the call's limit, and end when its caller leaves. */
export const pacedHttp = (http: ChromaHttp): ChromaHttp => {
  const { enter } = createLanes();
  return async (method, path, call) => {
    const until = performance.now() + call.limitMs;
    const limit = AbortSignal.timeout(call.limitMs);
    const signal = call.signal === undefined ? limit : AbortSignal.any([call.signal, limit]);
    let failure: unknown = null;
    const send = async (): Promise<unknown> => {
      const left: ChromaCall = { ...call, limitMs: Math.max(1, Math.ceil(until - performance.now())) };
      try {
        return await http(method, path, left);
      } catch (error) {
        failure = error;
        throw error;
      }
    };
    try {
      const end = await enter(path, signal);
      try {
        return await withRetries(send, REFUSED, (error) => (isTooMany(error) ? {} : null), signal);
      } finally {
        end();
      }
    } catch (error) {
      call.signal?.throwIfAborted();
      if (!limit.aborted) throw error;
      if (failure !== null) throw failure;
      const text = `Chroma is busy: the ${CALLS_AT_ONCE} calls of a collection that may be under way took ${call.limitMs} ms.`;
      throw new ChromaError(null, text, error);
    }
  };
};
