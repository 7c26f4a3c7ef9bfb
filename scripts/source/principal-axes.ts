// The axes along which vectors vary, by Jacobi's method: the one of the largest variance first.

const SWEEPS = 12;
const NEGLIGIBLE = 1e-14;

type Matrix = number[][];
type Rotation = readonly [cosine: number, sine: number];

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
const rotation = (matrix: Matrix, one: number, other: number): Rotation => {
  const theta = (at(matrix, other, other) - at(matrix, one, one)) / (2 * at(matrix, one, other));
  const tangent = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  return [cosine, tangent * cosine];
};

/** Two values after the rotation of their axes. */
const rotated = (first: number, second: number, [cosine, sine]: Rotation): readonly [number, number] => [
  cosine * first - sine * second,
  sine * first + cosine * second,
];

const rotateColumns = (matrix: Matrix, one: number, other: number, turn: Rotation): void => {
  for (let row = 0; row < matrix.length; row++) {
    const [first, second] = rotated(at(matrix, row, one), at(matrix, row, other), turn);
    set(matrix, row, one, first);
    set(matrix, row, other, second);
  }
};

const rotateRows = (matrix: Matrix, one: number, other: number, turn: Rotation): void => {
  const pairs = (matrix[one] ?? []).map((value, column) => rotated(value, at(matrix, other, column), turn));
  matrix[one] = pairs.map(([first]) => first);
  matrix[other] = pairs.map(([, second]) => second);
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
