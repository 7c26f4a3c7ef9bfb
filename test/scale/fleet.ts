// Processes of both roles on one database: each may be killed, and another takes its place.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../adapters/store/contract/chance.ts';
import { type Folder, type Server, type Starting, start } from '../crash/server.ts';

export type FleetRole = 'api' | 'worker' | 'all';

export interface FleetOptions {
  readonly dir: string;
  readonly key: string;
  readonly env: Record<string, string>;
  /** Further settings of the process at this place. */
  readonly envAt?: (at: number) => Record<string, string>;
  readonly roles: readonly FleetRole[];
  readonly say: (line: string) => void;
}

/** The end of the log of a process that did not end as it should. */
const SHOWN = 3_000;
const SHOWN_OF_START = 300;
const START_AGAIN_MS = 500;

interface Place {
  readonly role: FleetRole;
  readonly dir: string;
  readonly env: Record<string, string>;
  starting: Starting | null;
  /** Until the process that takes the place of a killed one is ready, or did not start. */
  opening: Promise<void>;
  server: Server | null;
}

export interface Fleet {
  /** The addresses of those that answer requests. */
  urls(): readonly string[];
  /** One of a role that has another one left; null: there is none at the moment. */
  killOne(chance: Chance): Promise<FleetRole | null>;
  /** Starts what is missing, and resolves when all are ready. */
  complete(): Promise<void>;
  stop(): Promise<(number | null)[]>;
  end(): Promise<void>;
}

/**
 * A server writes what it compiled when it ends by itself, and one that is killed writes nothing: without this each start
 * would compile all modules again, which takes half of its time.
 */
const fillCompileCache = async ({
  dir,
  key,
  env,
  compiled,
}: Required<Pick<Folder, 'dir' | 'key' | 'env' | 'compiled'>>) => {
  mkdirSync(dir, { recursive: true });
  const first = await start({ dir, key, logFile: join(dir, 'log'), compiled, env }).ready;
  await first.stop();
};

export const startFleet = async (options: FleetOptions): Promise<Fleet> => {
  const { dir, key, env, envAt = () => ({}), roles, say } = options;
  const compiled = join(dir, 'compiled');
  const places: Place[] = roles.map((role, at) => ({
    ...{ role, dir: join(dir, `${role}-${at}`), env: envAt(at), starting: null, server: null },
    opening: Promise.resolve(),
  }));
  for (const place of places) mkdirSync(place.dir, { recursive: true });
  let over = false;

  const open = async (place: Place): Promise<void> => {
    const folder = { dir: place.dir, key, logFile: join(place.dir, 'log'), compiled };
    place.starting = start({ ...folder, env: { ...env, ...place.env, MEMOIR_ROLE: place.role } });
    place.server = await place.starting.ready;
  };
  /** A start beside a database that is away fails; whatever keeps the processes running starts them again. */
  const openAgain = async (place: Place): Promise<void> => {
    while (!over)
      try {
        return await open(place);
      } catch (error) {
        say(`A ${place.role} did not start: ${String(error).slice(0, SHOWN_OF_START)}`);
        // One that is only late holds its folder.
        await place.starting?.kill(true);
        await sleep(START_AGAIN_MS);
      }
  };
  const isReady = (place: Place): boolean => place.server !== null;

  if (!existsSync(compiled)) await fillCompileCache({ dir: join(dir, 'first'), key, env, compiled });
  await Promise.all(places.map(open));
  return {
    urls: () =>
      places.flatMap(({ role, server }) => (role !== 'worker' && server !== null ? [server.url] : [])),
    async killOne(chance) {
      const able = places.filter(
        (place) =>
          isReady(place) &&
          places.some((other) => other !== place && other.role === place.role && isReady(other)),
      );
      const place = chance.pick(able);
      if (place === undefined) return null;
      const { server } = place;
      place.server = null;
      await server?.kill(true);
      place.opening = openAgain(place);
      return place.role;
    },
    async complete() {
      for (const place of places) {
        await place.opening;
        if (place.server === null) await open(place);
      }
    },
    stop() {
      over = true;
      return Promise.all(
        places.map(async ({ role, server }) => {
          const code = (await server?.stop()) ?? null;
          if (code !== 0) say(`A ${role} ended with ${code}: ${server?.log().slice(-SHOWN)}`);
          return code;
        }),
      );
    },
    async end() {
      over = true;
      await Promise.all(places.map(({ starting }) => starting?.kill(true)));
    },
  };
};
