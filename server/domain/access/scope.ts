// Decides what one call may see and change: the only place where a Scope is minted.
import { forbidden } from '../../core/errors.ts';
import type { Caller, Principal } from '../../core/principal.ts';
import { quotedList } from '../../core/quoted-list.ts';
import { type Reach, Scope, type ScopeCall } from '../../core/scope.ts';

/** The right that a call needs, as its operation declares it. */
export interface CallRight {
  permission: 'read' | 'write';
  reaches: 'tags' | 'document' | 'inside' | 'self' | 'account' | 'organisation';
  /** Set if the role of an admin is not enough. */
  role?: 'owner' | undefined;
}

export interface CallAccess extends CallRight {
  /** The tags that the call names; undefined or empty: none. */
  tags?: readonly string[] | undefined;
  /** Aborted when the client has left. */
  signal: AbortSignal;
}

const checkRole = ({ role }: Principal, ask: CallRight): void => {
  if (role === 'member')
    throw forbidden(
      'Your role is member, which manages no keys, members, settings or whole tags of the organisation. Ask an owner or an admin.',
    );
  if (ask.role === 'owner' && role !== 'owner')
    throw forbidden(
      'Only an owner may do this. Ask an owner, or use a key with full access that an owner made.',
    );
};

export const checkRight = (holder: Principal, ask: CallRight): void => {
  // Members manage their own things even if they may only read content.
  if (ask.reaches === 'account' && holder.inPerson === true) return;
  if (ask.permission === 'write' && holder.permission === 'read') {
    throw forbidden(
      holder.grantId === undefined
        ? 'This key may only read. Use a key with write permission.'
        : 'This program was allowed to read only. Connect it again, and choose on the connect page that it may add and change.',
    );
  }
  if (ask.reaches !== 'organisation' && ask.reaches !== 'account') return;
  if (holder.inPerson !== true) checkManagingKey(holder);
  checkRole(holder, ask);
};

/** A program that could create keys would pass on what it was given. */
const checkManagingKey = (holder: Principal): void => {
  if (holder.grantId !== undefined) {
    throw forbidden(
      'A connected program may not manage keys, settings or whole tags. Use a key with full access.',
    );
  }
  if (holder.isPlugin === true) {
    throw forbidden(
      'The key of a plugin may not manage keys, settings or whole tags. Use a key with full access that is not the key of a plugin.',
    );
  }
  if (holder.tags !== null) {
    throw forbidden(
      'A key that is bound to container tags may not manage keys, settings or whole tags. Use a key with full access.',
    );
  }
};

const checkTags = (named: readonly string[], allowed: readonly string[]): void => {
  const foreign = named.filter((tag) => !allowed.includes(tag));
  if (foreign.length === 0) return;
  const which = foreign.length === 1 ? 'the container tag' : 'the container tags';
  throw forbidden(
    `This key may not use ${which} ${quotedList(foreign)}. It may use: ${quotedList(allowed)}.`,
  );
};

/**
 * A write or a call about one document names the tags that the document will get, so they
 * must be allowed but do not narrow the search for the document. A call inside one tag is always narrowed to it.
 */
const readable = (holder: Principal, ask: CallAccess, named: readonly string[]): readonly string[] | null => {
  const narrows = ask.permission === 'read' && ask.reaches !== 'document';
  return named.length > 0 && (narrows || ask.reaches === 'inside') ? named : holder.tags;
};

/** A write sees no more than the tags that it may write in. */
const forPermission = (holder: Principal, { permission, reaches }: CallAccess): Principal => {
  const isContent = reaches === 'tags' || reaches === 'document' || reaches === 'inside';
  if (holder.writeTags === undefined || permission === 'read' || !isContent) return holder;
  return { ...holder, tags: holder.writeTags };
};

export const authorizeCall = (principal: Principal, ask: CallAccess): Caller => {
  checkRight(principal, ask);
  const holder = forPermission(principal, ask);
  const named = [...new Set(ask.tags ?? [])];
  if (holder.tags !== null) checkTags(named, holder.tags);
  const call = { principal: holder.grantId ?? holder.keyId, signal: ask.signal };
  const scope = Scope.mint(readable(holder, ask, named), holder.tags, call);
  return { ...holder, scope, ...(ask.reaches === 'inside' ? { isInside: true } : {}) };
};

/** The scope of a call that another thread of this process has authorised. */
export const authorizedElsewhere = ({ reads, holds }: Reach, call: ScopeCall): Scope =>
  Scope.mint(reads, holds, call);
