// Operations that manage keys, members or the whole organisation, which no key bound to tags may call.
import type { Operation } from '../../tools/operation.ts';

export const isManaging = ({ reaches }: Pick<Operation, 'reaches'>): boolean =>
  reaches === 'organisation' || reaches === 'account';
