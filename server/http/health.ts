// GET /health: whether the service is ready, and how each of its parts is.
import type { RequestHandler } from 'express';
import type { Health } from '../service.ts';
import { sendJson } from './send.ts';

type Status = 'ok' | 'degraded' | 'unavailable';

function statusOf({ ready, parts }: Health): Status {
  if (!ready) return 'unavailable';
  return Object.values(parts).every((part) => part.status === 'ok') ? 'ok' : 'degraded';
}

/** Ready with a part missing is still 200: what serves without it goes on serving. */
export const healthRoute =
  (health: () => Promise<Health>): RequestHandler =>
  async (_req, res) => {
    const state = await health();
    res.setHeader('cache-control', 'no-store');
    sendJson(res, state.ready ? 200 : 503, { status: statusOf(state), ...state });
  };
