// Type checks for values of unknown type.

export type UnknownObject = Readonly<Record<string, unknown>>;

/** True for an object that is neither null nor an array. */
export const isObject = (value: unknown): value is UnknownObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of any value; a value that is no object has none. */
export const fieldsOf = (value: unknown): UnknownObject => (isObject(value) ? value : {});
