/** In one order in every write, so that two of them never wait for each other. */
export const inOrderOfIds = <Use extends { readonly id: string }>(uses: readonly Use[]): readonly Use[] =>
  uses.toSorted((a, b) => (a.id < b.id ? -1 : 1));
