// One request of the tour, written as data: `$name` stands for a value that an earlier answer gave.

export interface Step {
  /** The operation of the registry that the request calls; null for the routes beside the registry. */
  readonly operation: string | null;
  /** The purpose of the request, unique in the tour. */
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** A multipart form: its text parts, and one file. */
  readonly form?: { readonly fields: Readonly<Record<string, string>>; readonly file: TourFile };
  /** The name of a saved key; null sends none. Without: the full key. */
  readonly as?: string | null;
  /** Values of the answer to keep, as name → path in the body ("results.0.id"). */
  readonly save?: Readonly<Record<string, string>>;
  /** Repeats the request until the value at the path is one of these; only the last answer is recorded. */
  readonly until?: Readonly<Record<string, readonly unknown[]>>;
}

export interface TourFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}
