// The version of this package, read from package.json above the sources or above the build.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const readVersion = (): string => {
  for (const place of ['../../package.json', '../../../package.json']) {
    try {
      return (require(place) as { version: string }).version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Error('package.json is missing from this installation of Memoir. Install it again.');
};

export const VERSION = readVersion();
