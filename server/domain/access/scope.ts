// What one call may see and change: the only place where a Scope is minted.
import { forbidden } from '../../errors.ts';
import { Scope } from '../../lib/scope.ts';
import type { Caller, KeyHolder } from './caller.ts';

/** What a call asks for, as its operation declares it. */
export interface Ask {
  permission: 'read' | 'write';
  reaches: 'tags' | 'document' | 'self' | 'organisation';
  /** The tags that the call names; undefined or none: it names none. */
  tags?: readonly string[] | undefined;
}

/** Longer lists of tags are cut in messages. */
const NAMED = 50;

const quoted = (tags: readonly string[]): string => {
  const shown = tags.slice(0, NAMED).map((tag) => JSON.stringify(tag));
  return tags.length > NAMED ? `${shown.join(', ')} and ${tags.length - NAMED} more` : shown.join(', ');
};

function checkPermission(holder: KeyHolder, ask: Ask): void {
  if (ask.permission === 'write' && holder.permission === 'read') {
    throw forbidden('This key may only read. Use a key with write permission.');
  }
  // A program that could make keys would outlive what was granted to it.
  if (ask.reaches === 'organisation' && holder.grantId !== undefined) {
    throw forbidden(
      'A connected program may not manage keys, settings or whole tags. Use a key with full access.',
    );
  }
  if (ask.reaches === 'organisation' && holder.tags !== null) {
    throw forbidden(
      'A key that is bound to container tags may not manage keys, settings or whole tags. Use a key with full access.',
    );
  }
}

function checkTags(named: readonly string[], allowed: readonly string[]): void {
  const foreign = named.filter((tag) => !allowed.includes(tag));
  if (foreign.length === 0) return;
  const which = foreign.length === 1 ? 'the container tag' : 'the container tags';
  throw forbidden(`This key may not use ${which} ${quoted(foreign)}. It may use: ${quoted(allowed)}.`);
}

/**
 * The tags that a write or a call about one document names are tags the document shall get, so they
 * must be allowed but do not narrow where the document is looked for.
 */
function readable(holder: KeyHolder, ask: Ask, named: readonly string[]): readonly string[] | null {
  const narrows = ask.permission === 'read' && ask.reaches !== 'document' && named.length > 0;
  return narrows ? named : holder.tags;
}

export function enter(holder: KeyHolder, ask: Ask): Caller {
  checkPermission(holder, ask);
  const named = [...new Set(ask.tags ?? [])];
  if (holder.tags !== null) checkTags(named, holder.tags);
  return { ...holder, scope: Scope.mint(readable(holder, ask, named), holder.tags) };
}
