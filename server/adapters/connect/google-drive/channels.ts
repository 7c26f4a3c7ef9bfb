// Notifications of Google Drive: a channel that lasts a week, and says only that something changed.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { sameSecret } from '../hooks/signature.ts';
import type { HookDelivery, HookVerdict, Watch } from '../port.ts';
import { SourceError } from '../source-error.ts';
import { ACCOUNT } from './cursor.ts';
import type { DriveApi } from './drive-api.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

const channel = z.object({
  id: z.string(),
  resourceId: z.string(),
  expiration: z.coerce.number().optional(),
});

const REFUSALS = new Set(['forbidden', 'refused', 'bad_options', 'auth_expired']);

/** Null: Google refuses the address, as one of a domain that is not verified in the project. */
export const openChannel = async (
  api: DriveApi,
  { address, secret, now }: { address: string; secret: string; now: number },
): Promise<Watch | null> => {
  try {
    const pageToken = await api.startToken(ACCOUNT);
    const { id, resourceId, expiration } = await api.call(
      '/changes/watch',
      { pageToken, includeItemsFromAllDrives: true, supportsAllDrives: true },
      {
        shape: channel,
        what: 'a channel',
        body: {
          ...{ id: randomUUID(), type: 'web_hook', address, token: secret },
          expiration: String(now + WEEK_MS),
        },
      },
    );
    return { id, endsAt: expiration ?? now + WEEK_MS, how: { resourceId } };
  } catch (error) {
    const cause = error instanceof SourceError && error.code === 'cursor_refused' ? error.cause : error;
    if (cause instanceof SourceError && REFUSALS.has(cause.code)) return null;
    throw cause;
  }
};

export const checkDelivery = ({ headers, secret }: HookDelivery): HookVerdict => {
  if (secret === '' || !sameSecret(headers['x-goog-channel-token'] ?? '', secret)) return { kind: 'refuse' };
  if (headers['x-goog-resource-state'] === 'sync') return { kind: 'ignore' };
  const { 'x-goog-channel-id': id, 'x-goog-message-number': number } = headers;
  return { kind: 'wake', delivery: id === undefined || number === undefined ? null : `${id} ${number}` };
};
