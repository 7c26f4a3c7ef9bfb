// GET /health: the status of the service, and the state of its parts for keys that see everything.
import type { RequestHandler } from 'express';
import type { Invoke } from '../../calls/invoke.ts';
import { DatabaseUnavailableError } from '../../core/errors.ts';
import type { Health } from '../../core/health.ts';
import { storageFault } from '../../lib/faults/storage-fault.ts';
import { clientAddress, keyFromHeaders, requestIdOf } from '../request.ts';
import { sendJson } from '../send.ts';

type Status = 'ok' | 'degraded' | 'unavailable';

export interface HealthRouteDeps {
  health(): Promise<Health>;
  invoke: Pick<Invoke, 'admit'>;
}

const overallHealth = ({ ready, parts }: Health): Status => {
  // Without its store the service loses what it is sent, or cannot read what it has.
  if (!ready || parts.store?.status === 'down') return 'unavailable';
  return Object.values(parts).every((part) => part.status === 'ok') ? 'ok' : 'degraded';
};

/** A damaged, silent or busy database cannot tell whose key it is; then the status alone is told. */
const unlessUnreadable = (error: unknown): null => {
  if (!(error instanceof DatabaseUnavailableError) && storageFault(error) !== 'damaged') throw error;
  return null;
};

/**
 * The details tell how much all tags hold and how busy they are, so they are for keys that may use all tags. A ready
 * service with a missing part still returns 200: other operations keep working.
 */
export const healthRoute =
  ({ health, invoke }: HealthRouteDeps): RequestHandler =>
  async (req, res) => {
    const key = keyFromHeaders(req.headers);
    const caller = { requestId: requestIdOf(res), way: 'rest', key, address: clientAddress(req) } as const;
    const holder = key === null ? null : await invoke.admit(caller).catch(unlessUnreadable);
    const state = await health();
    const shown = holder !== null && holder.tags === null ? state : { version: state.version };
    res.setHeader('cache-control', 'no-store');
    const status = overallHealth(state);
    sendJson(res, status === 'unavailable' ? 503 : 200, { status, ...shown });
  };
