// Scales vectors to length one, so that their dot product is their cosine.

/** Scales in place; null for a vector without direction: all zeros, or values that are not finite. */
export const unitLength = (vector: Float32Array): Float32Array | null => {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += (vector[at] ?? 0) ** 2;
  if (!(sum > 0 && sum < Infinity)) return null;
  const scale = 1 / Math.sqrt(sum);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) * scale;
  return vector;
};
