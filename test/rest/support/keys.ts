// Short ways to make keys and to ask with them.
import type { TestMemoir } from '../../support/memoir.ts';
import { storedRows } from '../../support/stored-rows.ts';
import type { Rest } from './use-memoir.ts';

export interface MadeKey {
  id: string;
  key: string;
  name: string;
  permission: 'read' | 'write';
  containerTag?: string;
  containerTags?: string[];
  expiresAt: string | null;
  allowedEndpoints?: string[];
}

export interface KeyItem {
  id: string;
  name: string;
  start: string;
  enabled: boolean;
  [field: string]: unknown;
}

const made = async (api: Rest, path: string, body: object, as: { key?: string } = {}): Promise<MadeKey> => {
  const answer = await api.ask<MadeKey>('POST', path, body, as);
  if (answer.status !== 200)
    throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

export const scopedKey = (api: Rest, body: object): Promise<MadeKey> =>
  made(api, '/v3/auth/scoped-key', body);

export const agentKey = (api: Rest, body: object = {}, as: { key?: string } = {}): Promise<MadeKey> =>
  made(api, '/v3/auth/agent-key', { name: 'agent', permission: 'write', ...body }, as);

export const listedKeys = async (api: Rest): Promise<KeyItem[]> =>
  (await api.ask<{ keys: KeyItem[] }>('GET', '/v3/auth/keys')).body.keys;

/** The answer to a call with this key. */
export const statusWith = async (api: Rest, key: string | null): Promise<number> =>
  (await api.ask('GET', '/v3/session', undefined, { key })).status;

/** Brings the end of a key's days nearer, as only its store can. */
export const expireAt = async (memoir: TestMemoir, id: string, at: number): Promise<void> => {
  await storedRows(memoir, 'update keys set expires_at = ? where id = ?', at, id);
};
