// The fields of a form that a person sent.

export type Fields = Readonly<Record<string, unknown>>;

export const fieldOf = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value.trim() : '';
};
