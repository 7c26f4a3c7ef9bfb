// The compiler's proof that no request-side port method can be called without a Scope.
import { expectTypeOf } from 'vitest';
import type { AuditStore } from '../../server/adapters/store/ports/audit.ts';
import type { ConnectionStore } from '../../server/adapters/store/ports/connections/connections.ts';
import type { HookStore } from '../../server/adapters/store/ports/connections/hooks.ts';
import type { DocumentStore } from '../../server/adapters/store/ports/documents.ts';
import type { MemoryStore } from '../../server/adapters/store/ports/memories/memories.ts';
import type { RecallStore } from '../../server/adapters/store/ports/memories/recall.ts';
import type { SearchStore } from '../../server/adapters/store/ports/search.ts';
import type { Store } from '../../server/adapters/store/ports/store.ts';
import type { TagStore } from '../../server/adapters/store/ports/tags.ts';
import type { ThreadStore } from '../../server/adapters/store/ports/threads.ts';
import type { AnalyticsStore } from '../../server/adapters/store/ports/usage/analytics.ts';
import type { VectorIndex } from '../../server/adapters/vectors/port.ts';
import type { Scope } from '../../server/core/scope.ts';

type IsAny<T> = 0 extends 1 & T ? true : false;

/** True where the parameters begin with a Scope, and not with something that merely admits one. */
type BeginsWithScope<Parameters extends readonly unknown[]> = Parameters extends readonly [
  infer First,
  ...unknown[],
]
  ? IsAny<First> extends true
    ? false
    : [First] extends [Scope]
      ? true
      : false
  : false;

/** The names of a port's members, groups of methods included, that can be called without a Scope. */
type UnscopedKeys<Port> = {
  [Key in keyof Port & string]-?: NonNullable<Port[Key]> extends (...args: infer Parameters) => unknown
    ? BeginsWithScope<Parameters> extends true
      ? never
      : Key
    : NonNullable<Port[Key]> extends object
      ? UnscopedKeys<NonNullable<Port[Key]>> extends infer Inner extends string
        ? `${Key}.${Inner}`
        : never
      : never;
}[keyof Port & string];

expectTypeOf<UnscopedKeys<VectorIndex>>().toBeNever();
expectTypeOf<UnscopedKeys<Store>>().toBeNever();
expectTypeOf<UnscopedKeys<DocumentStore>>().toBeNever();
expectTypeOf<UnscopedKeys<AnalyticsStore>>().toBeNever();
expectTypeOf<UnscopedKeys<AuditStore>>().toBeNever();
expectTypeOf<UnscopedKeys<ConnectionStore>>().toBeNever();
expectTypeOf<UnscopedKeys<SearchStore>>().toBeNever();
expectTypeOf<UnscopedKeys<TagStore>>().toBeNever();
expectTypeOf<UnscopedKeys<ThreadStore>>().toBeNever();
expectTypeOf<UnscopedKeys<MemoryStore>>().toBeNever();
expectTypeOf<UnscopedKeys<RecallStore>>().toBeNever();
// A delivery has no caller: the token in its address gives access to one connection alone.
expectTypeOf<UnscopedKeys<HookStore>>().toEqualTypeOf<'find' | 'secret' | 'heard' | 'replaceSecret'>();

// The proof itself finds what it should find.
interface Leaky {
  scoped(scope: Scope, id: string): void;
  unscoped(id: string): void;
  late(id: string, scope: Scope): void;
  none(): void;
  loose(scope: unknown): void;
  optional?(id: string): void;
  maybe(scope?: Scope): void;
  group: { scoped(scope: Scope): void; unscoped(id: string): void };
}
expectTypeOf<UnscopedKeys<Leaky>>().toEqualTypeOf<
  'unscoped' | 'late' | 'none' | 'loose' | 'optional' | 'maybe' | 'group.unscoped'
>();
