// Starts the server of any checkout on an empty folder, as `memoir serve` does.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { newDataFolder } from '../support/data-folder.ts';

export interface TourServer {
  readonly url: string;
  readonly dir: string;
  /** Stops it and waits until it is gone. */
  stop(): Promise<void>;
}

export const TOUR_KEY = 'sm_tour_G9H7sj2c4YGR9GkVYDzmYHvNcmb4';

const READY = /is ready at (http:\S+)/;
const STOP_MS = 20_000;

const environment = (dir: string, key: string) => ({
  PATH: process.env.PATH,
  HOME: dir,
  // Every start on this machine shares it: compiled modules, and the Chroma server of older systems.
  XDG_CACHE_HOME: process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  PORT: '0',
  MEMOIR_DATA_DIR: dir,
  MEMOIR_API_KEY: key,
  MEMOIR_SECRET_KEY: 'a secret of the tour, longer than 32 characters',
  MEMOIR_LOG_LEVEL: 'error',
});

/** Serves a folder that exists already; the folder stays when the server stops. */
export const serveFolder = async (checkout: string, dir: string, key = TOUR_KEY): Promise<TourServer> => {
  const child = spawn(process.execPath, [join(checkout, 'bin', 'memoir.js'), 'serve'], {
    env: environment(dir, key),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk.toString();
      const found = READY.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', () => reject(new Error(`The server of ${checkout} ended: ${output}`)));
  });
  return {
    url,
    dir,
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await gone;
      clearTimeout(late);
    },
  };
};

export const serveEmptyFolder = async (checkout: string): Promise<TourServer> => {
  const dir = newDataFolder('tour');
  const server = await serveFolder(checkout, dir);
  return {
    ...server,
    async stop() {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
