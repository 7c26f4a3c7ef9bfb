// JSON text in columns.

export const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

export const parsedOr = <T>(text: string | null, otherwise: T): T =>
  text === null ? otherwise : JSON.parse(text);
