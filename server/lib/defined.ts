// Ports tell "not given" from "given as nothing", so keys without a value must not be there at all.

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The same without the keys whose value is undefined. */
export const defined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Defined<T>;
