// The ways in which a server under npm is stopped, checked for one command that starts it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { newPlace, type Place, serve } from './memoir-process.ts';
import { type ServerOfNpm, serveByNpm } from './npm-process.ts';

const LIMIT_MS = 120_000;

export interface Started {
  command: readonly [string, ...string[]];
  cwd: string;
}

const stops: [string, (server: ServerOfNpm) => void][] = [
  ['Ctrl-C', (server) => server.pressCtrlC()],
  ['SIGTERM to npm alone', (server) => server.signal('SIGTERM')],
  ['SIGHUP to npm alone', (server) => server.signal('SIGHUP')],
];

/** npm passes no other signal on; only Linux tells who the parent of a parent is. */
const testable = process.platform === 'linux' ? stops : stops.slice(0, 2);

export const checkStops = (started: () => Started): void => {
  let place: Place;
  let server: ServerOfNpm | undefined;
  beforeEach(() => {
    place = newPlace();
  });
  afterEach(() => {
    server?.kill();
    server = undefined;
    place.remove();
  });

  test.each(testable)(
    '%s stops the server and its Chroma, and the folder is free for the next one',
    async (_how, stop) => {
      const { command, cwd } = started();
      const data = join(place.cwd, 'data');
      const running = await serveByNpm(command, { cwd, env: { MEMOIR_DATA_DIR: data } });
      server = running;
      await until('Chroma to run', () =>
        running.processes().some((line) => line.includes(join(data, 'chroma'))),
      );
      stop(running);
      await running.ended();
      expect(running.output()).toContain('Stopping: open requests finish');
      expect(existsSync(join(data, 'run.json'))).toBe(false);
      const next = await serve({ cwd: place.cwd, env: { MEMOIR_DATA_DIR: data } });
      expect((await fetch(`${next.url}/health`)).status).toBe(200);
      expect(await next.stop()).toBe(0);
    },
    LIMIT_MS,
  );
};
