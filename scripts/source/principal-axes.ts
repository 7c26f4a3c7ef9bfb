// The axes along which vectors vary, by Jacobi's method: the one of the largest variance first.

const SWEEPS = 12;
const NEGLIGIBLE = 1e-14;

type Matrix = number[][];

const at = (matrix: Matrix, row: number, column: number): number => matrix[row]?.[column] ?? 0;

const set = (matrix: Matrix, row: number, column: number, value: number): void => {
  const values = matrix[row];
  if (values) values[column] = value;
};

/** Each vector's values around zero. */
const covariance = (vectors: readonly number[][], size: number): Matrix => {
  const matrix: Matrix = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const vector of vectors)
    for (let row = 0; row < size; row++)
      for (let column = 0; column < size; column++)
        set(
          matrix,
          row,
          column,
          at(matrix, row, column) + ((vector[row] ?? 0) * (vector[column] ?? 0)) / vectors.length,
        );
  return matrix;
};

/** The cosine and the sine of the rotation that makes the value at (one, other) zero. */
const rotation = (matrix: Matrix, one: number, other: number): readonly [cosine: number, sine: number] => {
  const theta = (at(matrix, other, other) - at(matrix, one, one)) / (2 * at(matrix, one, other));
  const tangent = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  return [cosine, tangent * cosine];
};

const rotateColumns = (
  matrix: Matrix,
  one: number,
  other: number,
  [cosine, sine]: readonly [number, number],
): void => {
  for (let row = 0; row < matrix.length; row++) {
    const first = at(matrix, row, one);
    const second = at(matrix, row, other);
    set(matrix, row, one, cosine * first - sine * second);
    set(matrix, row, other, sine * first + cosine * second);
  }
};

const rotateRows = (
  matrix: Matrix,
  one: number,
  other: number,
  [cosine, sine]: readonly [number, number],
): void => {
  for (let column = 0; column < matrix.length; column++) {
    const first = at(matrix, one, column);
    const second = at(matrix, other, column);
    set(matrix, one, column, cosine * first - sine * second);
    set(matrix, other, column, sine * first + cosine * second);
  }
};

export const principalAxes = (vectors: readonly number[][]): number[][] => {
  const size = vectors[0]?.length ?? 0;
  const matrix = covariance(vectors, size);
  const axes: Matrix = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_unused, column) => (row === column ? 1 : 0)),
  );
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (let one = 0; one < size; one++)
      for (let other = one + 1; other < size; other++) {
        if (Math.abs(at(matrix, one, other)) < NEGLIGIBLE) continue;
        const turn = rotation(matrix, one, other);
        rotateColumns(matrix, one, other, turn);
        rotateRows(matrix, one, other, turn);
        rotateColumns(axes, one, other, turn);
      }
  return Array.from({ length: size }, (_, column) => ({
    variance: at(matrix, column, column),
    axis: axes.map((row) => row[column] ?? 0),
  }))
    .toSorted((first, second) => second.variance - first.variance)
    .map(({ axis }) => axis);
};
