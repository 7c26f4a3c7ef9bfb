// The first key: created by the first start, or configured by the owner.
import type { KeyStore } from '../../../adapters/store/ports/keys.ts';
import { serverNote } from '../../../core/audit-note.ts';
import { badRequest } from '../../../core/errors.ts';
import type { Logger } from '../../../core/log.ts';
import { hashKey, isGuessable, isKey } from './key-text.ts';
import { makeKey } from './make-key.ts';

const BAD_CHOSEN_KEY =
  'MEMOIR_API_KEY must begin with "sm_" and have at least 17 more characters, none of them a space. ' +
  'Leave it unset to have a key created at the first start.';

const HOW = 'Make one with: echo "sm_$(openssl rand -hex 24)"';

const GUESSABLE_KEY = `MEMOIR_API_KEY is too easy to guess: it is made of words, a sequence or a repetition. ${HOW}`;

const STORED_GUESSABLE_KEY = `${GUESSABLE_KEY}. Then disable the old key.`;

export interface FirstKeyDeps {
  keys: Pick<KeyStore, 'byHash' | 'list' | 'createFirst'>;
  orgId: string;
  now: () => number;
  log?: Pick<Logger, 'warn'> | undefined;
}

export interface FirstKeyRequest {
  chosenKey?: string | undefined;
}

/** A key that an earlier start stored works whatever is set, so refusing to start would not help. */
export const requireGoodChosenKey = async (
  keys: Pick<KeyStore, 'byHash'>,
  chosenKey: string | undefined,
): Promise<void> => {
  if (chosenKey === undefined) return;
  if (!isKey(chosenKey)) throw badRequest(BAD_CHOSEN_KEY);
  if (isGuessable(chosenKey) && (await keys.byHash(hashKey(chosenKey))) === null)
    throw badRequest(GUESSABLE_KEY);
};

/** The text of the key if this call created it, else null. */
export const ensureFirstKey = async (
  { keys, orgId, now, log }: FirstKeyDeps,
  { chosenKey }: FirstKeyRequest,
): Promise<string | null> => {
  await requireGoodChosenKey(keys, chosenKey);
  const exists =
    chosenKey === undefined
      ? (await keys.list()).length > 0
      : (await keys.byHash(hashKey(chosenKey))) !== null;
  if (chosenKey !== undefined && isGuessable(chosenKey)) log?.warn({}, STORED_GUESSABLE_KEY);
  if (exists) return null;
  const name = chosenKey === undefined ? 'First key' : 'Key from MEMOIR_API_KEY';
  const { key, record } = makeKey({
    orgId,
    now: now(),
    request: {},
    name,
    ...(chosenKey === undefined ? {} : { chosenKey }),
  });
  const note = serverNote('key.create', { target: { kind: 'key', id: record.id } });
  return (await keys.createFirst(record, chosenKey !== undefined, note)) ? key : null;
};
