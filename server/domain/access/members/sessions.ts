// Sessions of signed-in browsers. A session may do what its member or its key may do, and ends with them.
import { randomBytes } from 'node:crypto';
import type { ListSessionsOutput } from '../../../../tools/session/schemas/sessions.ts';
import type { KeyStore } from '../../../adapters/store/ports/keys.ts';
import type { NewMail } from '../../../adapters/store/ports/team/mails.ts';
import type { SessionRecord, TeamStore } from '../../../adapters/store/ports/team/team.ts';
import type { AuditActor, AuditNote } from '../../../core/audit.ts';
import { auditNote } from '../../../core/audit-note.ts';
import { notFound, unauthorized } from '../../../core/errors.ts';
import type { Logger } from '../../../core/log.ts';
import type { MemberRecord, Principal } from '../../../core/principal.ts';
import { newId } from '../../../lib/ids.ts';
import { DAY_MS } from '../../../lib/text/dates/calendar.ts';
import { isoTime } from '../../../lib/text/dates/format.ts';
import type { RecognisedKey } from '../access-tokens.ts';
import type { KeyCache } from '../keys/key-cache.ts';
import { isUsable } from '../keys/key-makers.ts';
import { hashKey } from '../keys/key-text.ts';
import type { KeyUses } from '../keys/key-uses.ts';
import type { Limits } from '../rate-limits.ts';

const UNUSED_MS = 12 * 3_600_000;
const LONGEST_MS = 7 * DAY_MS;
const LONGEST_AGENT = 200;

/** The one who signs in: a member, or a key that belongs to nobody. */
export interface SessionStart {
  memberId: string | null;
  keyId: string | null;
  userAgent: string;
}

export interface Sessions {
  /** The caller behind the cookie; 401 unless the session runs. */
  recognise(cookie: string, address: string): Promise<RecognisedKey>;
  /** The text of the cookie. The mail is queued in the same transaction. */
  begin(start: SessionStart, mail: NewMail | null, note?: AuditNote): Promise<string>;
  /** Ends the session of the cookie; nothing happens if it has ended. */
  signOut(cookie: string, address: string): Promise<void>;
  list(caller: Principal): Promise<ListSessionsOutput>;
  /** 404 unless it is one of the caller. */
  end(caller: Principal, id: string): Promise<void>;
}

export interface SessionsDeps {
  sessions: TeamStore['sessions'];
  members: Pick<TeamStore['members'], 'byId'>;
  keys: Pick<KeyStore, 'byId'>;
  cache: KeyCache;
  limits: Pick<Limits, 'checkFailures' | 'failure'>;
  uses: KeyUses;
  now: () => number;
  log: Pick<Logger, 'info'> | undefined;
}

/** A member as the caller, as a key of the member would be recognised. */
export const memberAsKey = (member: MemberRecord): RecognisedKey => ({
  ...{ id: member.id, hash: '', start: '', name: member.name, permission: 'write', tags: null },
  ...{ enabled: true, expiresAt: null, rateLimitMax: null, rateLimitWindowMs: null, pluginId: null },
  ...{ madeBy: null, makers: [], ownerId: member.id, owner: member, role: null, replacedBy: null },
  ...{ createdAt: member.createdAt, lastUsedAt: member.lastSeenAt },
});

const ended = () => unauthorized('Your session has ended. Sign in again.');

const whoseOf = ({ member, keyId }: Principal): { memberId: string } | { keyId: string } =>
  member === undefined ? { keyId } : { memberId: member.id };

/** The rights of the member or of the key behind the session. */
const readSession = async (
  { sessions, members, keys }: SessionsDeps,
  hash: string,
): Promise<RecognisedKey | null> => {
  const session = await sessions.byHash(hash);
  if (session === null) return null;
  const member = session.memberId === null ? null : await members.byId(session.memberId);
  if (session.memberId !== null && member === null) return null;
  if (session.keyId === null) return member === null ? null : { ...memberAsKey(member), session };
  const key = await keys.byId(session.keyId);
  return key === null ? null : { ...key, session };
};

const signOut = async ({ sessions, cache }: SessionsDeps, cookie: string, address: string): Promise<void> => {
  const session = await sessions.byHash(hashKey(cookie));
  if (session === null) return;
  const actor: AuditActor = {
    kind: session.memberId === null ? 'key' : 'member',
    ...{ id: session.memberId ?? session.keyId ?? '', name: '' },
  };
  const target = { kind: 'session', id: session.id };
  await sessions.end(session.id, {
    ...{ action: 'session.end', actor, way: 'rest', requestId: null, address, target },
  });
  cache.forgetSession(session.id);
};

export const createSessions = (deps: SessionsDeps): Sessions => {
  const { sessions, cache, limits, uses, now, log } = deps;

  const isLive = ({ id, expiresAt, lastSeenAt }: SessionRecord): boolean => {
    const seen = Math.max(lastSeenAt, uses.pending(id) ?? 0);
    return expiresAt > now() && seen + UNUSED_MS > now();
  };

  return {
    async recognise(cookie, address) {
      const hash = hashKey(cookie);
      let record = cache.fresh(hash) ?? null;
      if (record === null) {
        if (!cache.knows(hash)) await limits.checkFailures(address);
        record = await cache.load(hash, (text) => readSession(deps, text));
        if (record === null) await limits.failure(address);
      }
      if (record?.session === undefined || !isLive(record.session) || !isUsable(record, now())) throw ended();
      return record;
    },
    async begin({ userAgent, ...who }, mail, note) {
      const cookie = randomBytes(32).toString('base64url');
      const at = now();
      const session: SessionRecord = {
        ...{ id: newId(), hash: hashKey(cookie), ...who, createdAt: at, lastSeenAt: at },
        ...{ expiresAt: at + LONGEST_MS, userAgent: userAgent.slice(0, LONGEST_AGENT) },
      };
      await sessions.create(session, mail, note);
      log?.info({ sessionId: session.id, ...who }, 'A session began.');
      return cookie;
    },
    signOut: (cookie, address) => signOut(deps, cookie, address),
    async list(caller) {
      const own = await sessions.list(whoseOf(caller));
      return {
        sessions: own.filter(isLive).map((session) => ({
          id: session.id,
          createdAt: isoTime(session.createdAt),
          lastSeenAt: isoTime(Math.max(session.lastSeenAt, uses.pending(session.id) ?? 0)),
          expiresAt: isoTime(session.expiresAt),
          userAgent: session.userAgent,
          current: session.id === caller.sessionId,
        })),
      };
    },
    async end(caller, id) {
      const own = await sessions.list(whoseOf(caller));
      const found =
        own.some((session) => session.id === id) &&
        (await sessions.end(id, auditNote(caller, { target: { kind: 'session', id } })));
      cache.forgetSession(id);
      if (!found)
        throw notFound('You have no session with this id. List your sessions to see which there are.');
      log?.info({ sessionId: id }, 'A session ended.');
    },
  };
};
