// Finds the file of a worker thread or child process, in the sources as well as in the build.

/** `entry('./worker', import.meta.url)`: worker.ts for a `.ts` caller, worker.js for a built one. */
export const entry = (name: string, from: string): URL =>
  new URL(`${name.startsWith('.') ? name : `./${name}`}${from.endsWith('.ts') ? '.ts' : '.js'}`, from);
