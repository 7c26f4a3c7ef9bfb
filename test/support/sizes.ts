// Sizes of tests that are slow in full: small in the suite, whole with MEMOIR_TEST_WHOLE=1.

export const sizeOf = ({ small, whole }: { small: number; whole: number }): number =>
  process.env.MEMOIR_TEST_WHOLE === '1' ? whole : small;
