// Statements on the way of every search are built once: building one costs as much as running it.
import type { Compilable, CompiledQuery } from '#kysely';
import { type Reach, WHOLE_REACH } from '../../../core/scope.ts';
import type { Db } from '../tables/tables.ts';
import { run } from './run.ts';

/** A place in a statement where each run puts its own value. */
export class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** `build` writes `at(name)` where a value belongs; a list is one value of JSON. */
export const template = <Row extends object, Name extends string>(
  build: (db: Db, at: (name: Name) => never) => Compilable<Row>,
): ((db: Db, values: Readonly<Record<Name, unknown>>) => Promise<Row[]>) => {
  let built: CompiledQuery<Row> | null = null;
  return async (db, values) => {
    built ??= build(db, (name) => new Placeholder(name) as never).compile();
    const parameters = built.parameters.map((value) =>
      value instanceof Placeholder ? values[value.name as Name] : value,
    );
    return (await run<Row>(db, built.sql, parameters)).rows;
  };
};

/** A template for each kind of reach: the whole store, or what carries one of the caller's tags. */
export const scopedTemplate = <Row extends object, Name extends string>(
  build: (db: Db, reach: Reach, at: (name: Name) => never) => Compilable<Row>,
): ((db: Db, reach: Reach, values: Readonly<Record<Name, unknown>>) => Promise<Row[]>) => {
  const everywhere = template<Row, Name>((db, at) => build(db, WHOLE_REACH, at));
  const underTags = template<Row, Name | 'tags'>((db, at) =>
    build(db, { reads: at('tags'), holds: null }, at),
  );
  return (db, reach, values) => {
    if (reach.reads === null) return everywhere(db, values);
    return underTags(db, { ...values, tags: JSON.stringify(reach.reads) });
  };
};
