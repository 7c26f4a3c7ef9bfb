/** Computes a value at its first use, and keeps it. */
export const once = <T>(compute: () => T): (() => T) => {
  let computed: { readonly value: T } | null = null;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
};
