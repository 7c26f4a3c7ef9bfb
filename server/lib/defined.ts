// Removes undefined values. Ports distinguish a missing key from a null value, so an undefined value must be removed.

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** A copy without the keys whose value is undefined. */
export const defined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Defined<T>;
