// The `fields` parameter of Google's services: an answer has the fields that were asked for, and no others.

type Mask = Map<string, Mask | null>;

/** `files(id,owners(emailAddress)),nextPageToken` */
const readMask = (text: string): Mask => {
  const pieces = text.matchAll(/[\w*/]+|[(),]/g);
  const root: Mask = new Map();
  const open: Mask[] = [root];
  let last = '';
  for (const [piece] of pieces) {
    const here = open.at(-1);
    if (here === undefined) throw new Error(`The fields are not balanced: ${text}`);
    if (piece === '(') {
      const inner: Mask = new Map();
      here.set(last, inner);
      open.push(inner);
    } else if (piece === ')') open.pop();
    else if (piece !== ',') {
      last = piece;
      here.set(piece, null);
    }
  }
  return root;
};

const project = (value: unknown, mask: Mask): unknown => {
  if (Array.isArray(value)) return value.map((one) => project(one, mask));
  if (typeof value !== 'object' || value === null || mask.has('*')) return value;
  const kept = Object.entries(value).filter(([name]) => mask.has(name));
  return Object.fromEntries(
    kept.map(([name, one]) => {
      const inner = mask.get(name) ?? null;
      return [name, inner === null ? one : project(one, inner)];
    }),
  );
};

/** Without the parameter the service answers a few fields; this one answers those given as usual. */
export const selectFields = (value: object, fields: string | null, usual: string): object =>
  project(value, readMask(fields ?? usual)) as object;
