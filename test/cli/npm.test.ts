import { join } from 'node:path';
import { describe } from 'vitest';
import { checkStops } from './npm-stops.ts';

const ROOT = join(import.meta.dirname, '..', '..');

describe.skipIf(process.platform === 'win32')('npm start', () => {
  checkStops(() => ({ command: ['npm', 'start'], cwd: ROOT }));
});

describe.skipIf(process.platform === 'win32')('npm run memoir -- serve', () => {
  checkStops(() => ({ command: ['npm', 'run', '-s', 'memoir', '--', 'serve'], cwd: ROOT }));
});
