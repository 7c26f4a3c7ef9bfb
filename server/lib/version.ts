// The version of this package, from its package.json: beside the source as well as beside the build.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

function packageFile(from: string): string {
  for (let dir = from; dir !== dirname(dir); dir = dirname(dir)) {
    const file = join(dir, 'package.json');
    if (existsSync(file)) return file;
  }
  throw new Error(`There is no package.json above ${from}. Install Memoir again.`);
}

function read(): string {
  const { version } = JSON.parse(readFileSync(packageFile(import.meta.dirname), 'utf8')) as {
    version?: unknown;
  };
  return typeof version === 'string' ? version : 'unknown';
}

export const version: string = read();
