// GET /health: the state of the service and of each of its parts.
import type { RequestHandler } from 'express';
import type { Health } from '../core/health.ts';
import { sendJson } from './send.ts';

type Status = 'ok' | 'degraded' | 'unavailable';

const overallHealth = ({ ready, parts }: Health): Status => {
  if (!ready) return 'unavailable';
  return Object.values(parts).every((part) => part.status === 'ok') ? 'ok' : 'degraded';
};

/** A ready service with a missing part still returns 200: other operations keep working. */
export const healthRoute =
  (health: () => Promise<Health>): RequestHandler =>
  async (_req, res) => {
    const state = await health();
    res.setHeader('cache-control', 'no-store');
    sendJson(res, state.ready ? 200 : 503, { status: overallHealth(state), ...state });
  };
