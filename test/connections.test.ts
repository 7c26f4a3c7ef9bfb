// The requirements of connections at a small size; `npm run test:connections` has the full one. The tests are named as its rows.
import { expect, test } from 'vitest';
import { chosen } from './connections/rows/chosen.ts';
import { kills } from './connections/rows/kills.ts';
import type { ConnectionRow, Sizes } from './connections/rows/row.ts';
import { secrets } from './connections/rows/secrets.ts';
import { throttle } from './connections/rows/throttle.ts';
import { tokens } from './connections/rows/tokens.ts';
import { wholeDrive } from './connections/rows/whole-drive.ts';

const SMALL: Sizes = { files: 40, folders: 6, removed: 5, kills: 2, measured: false, throttledSeconds: 8 };

const holds =
  (row: ConnectionRow, sizes: Sizes = SMALL) =>
  async () => {
    const said: string[] = [];
    const figures = await row.run(sizes, (line) => said.push(line));
    const missed = figures.filter(({ holds: isHeld, isTime }) => !isHeld && isTime !== true);
    expect(missed, said.join('\n')).toEqual([]);
    expect(figures.length).toBeGreaterThan(3);
  };

const LIMIT_MS = 180_000;

test('drive', holds(wholeDrive), LIMIT_MS);
test('kills', holds(kills), LIMIT_MS);
test('tokens', holds(tokens, { ...SMALL, files: 160, kills: 4 }), LIMIT_MS);
test('throttle', holds(throttle, { ...SMALL, files: 800 }), LIMIT_MS);
test('chosen', holds(chosen, { ...SMALL, files: 200 }), LIMIT_MS);
test('secrets', holds(secrets), LIMIT_MS);
