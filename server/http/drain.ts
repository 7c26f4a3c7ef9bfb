// Reads what a client still sends after its refusal. A client that is still sending would lose the answer if the connection
// were closed, so a bounded rest of the body is read and thrown away.
import type { ServerResponse } from 'node:http';

/** The time for which a client may keep sending a body that is not read. */
const LINGER_MS = 5_000;
/** More than any body that is accepted. */
const LINGER_BYTES = 64 * 1024 * 1024;
/**
 * All refused bodies together: to read them is work for nothing, on the thread that answers everybody, and what was read is
 * garbage that stops it. The largest body that is accepted still fits into the time.
 */
const BYTES_PER_MS = (16 * 1024 * 1024) / 1000;
/** After a rest, so much is read without a wait: a body of usual size never waits. */
const FREE_MS = 250;

/** The wait after each part that was thrown away, so that no more than a share of the thread's time goes into reading them. */
export const createDrainPace = (now: () => number) => {
  let paidUntil = 0;
  return {
    waitAfter(bytes: number): number {
      paidUntil = Math.max(paidUntil, now()) + bytes / BYTES_PER_MS;
      return Math.max(0, paidUntil - now() - FREE_MS);
    },
  };
};

/**
 * Node ends the connection of a refused request with Expect as soon as its answer is sent. A client that did not wait for
 * 100 Continue, as a proxy that passes the header on, still sends its body and would lose the answer. So only this side of
 * the connection ends; the other one ends with the request.
 */
const endOneSide = ({ req: { headers, socket } }: ServerResponse): void => {
  if (headers.expect !== undefined) socket.destroySoon = () => void socket.end();
};

const pace = createDrainPace(() => performance.now());

export const drainBody = (res: ServerResponse): void => {
  const { req } = res;
  if (req.complete) return;
  endOneSide(res);
  let left = LINGER_BYTES;
  let resting: NodeJS.Timeout | undefined;
  const goOnAfter = (waitMs: number): void => {
    if (waitMs === 0) return void req.resume();
    req.pause();
    resting = setTimeout(() => req.resume(), waitMs).unref();
  };
  req.on('data', (part: Buffer) => {
    left -= part.length;
    if (left < 0) return void req.destroy();
    goOnAfter(pace.waitAfter(part.length));
  });
  // While others are read nothing of this one is: most clients leave as soon as they have the answer.
  goOnAfter(pace.waitAfter(0));
  const lingering = setTimeout(() => req.destroy(), LINGER_MS).unref();
  req.once('close', () => {
    clearTimeout(lingering);
    clearTimeout(resting);
  });
};
