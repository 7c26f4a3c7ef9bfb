// GET /metrics: figures for operators, for a key with full access or for a token of its own.
import { timingSafeEqual } from 'node:crypto';
import type { Express, RequestHandler } from 'express';
import type { Invoke } from '../../calls/invoke.ts';
import { forbidden } from '../../core/errors.ts';
import { sha256 } from '../../lib/hash.ts';
import { methodNotAllowed } from '../errors.ts';
import { clientAddress, keyFromHeaders, requestIdOf } from '../request.ts';

export interface MetricsSource {
  render(): Promise<{ contentType: string; text: string }>;
  /** Opens this route and nothing else; null: there is none. */
  readonly token: string | null;
}

/** Hashes are compared, so that the duration reveals nothing about the token. */
const isSameToken = (given: string, token: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)));

const metricsRoute =
  ({ render, token }: MetricsSource, invoke: Pick<Invoke, 'admit'>): RequestHandler =>
  async (req, res) => {
    const key = keyFromHeaders(req.headers);
    if (key === null || token === null || !isSameToken(key, token)) {
      const meta = { requestId: requestIdOf(res), way: 'rest', address: clientAddress(req) } as const;
      const holder = await invoke.admit({ ...meta, key });
      const sees = holder.tags === null && holder.permission === 'write';
      if (!sees || holder.isPlugin === true || holder.grantId !== undefined || holder.role === 'member')
        throw forbidden('Metrics need a key with full access, or the token of MEMOIR_METRICS_TOKEN.');
    }
    const { contentType, text } = await render();
    res.writeHead(200, {
      ...{ 'content-type': contentType, 'cache-control': 'no-store' },
      'content-length': Buffer.byteLength(text),
    });
    res.end(text);
  };

/** Without a source the path does not exist. */
export const serveMetrics = (
  app: Express,
  source: MetricsSource | null,
  invoke: Pick<Invoke, 'admit'>,
): void => {
  if (source === null) return;
  app
    .get('/metrics', metricsRoute(source, invoke))
    .all('/metrics', methodNotAllowed(['GET', 'HEAD', 'OPTIONS']));
};
