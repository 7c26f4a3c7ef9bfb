// Finds a sibling file that runs in a process or thread of its own, from source as well as from the build.

/** `entry('./worker', import.meta.url)`: worker.ts beside a `.ts` file, worker.js beside a built one. */
export const entry = (name: string, from: string): URL =>
  new URL(`${name.startsWith('.') ? name : `./${name}`}${from.endsWith('.ts') ? '.ts' : '.js'}`, from);
