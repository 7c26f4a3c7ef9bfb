// Processes of both roles on one database: each may be killed, and another takes its place.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
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

interface Place {
  readonly role: FleetRole;
  readonly dir: string;
  readonly env: Record<string, string>;
  starting: Starting | null;
  server: Server | null;
  starts: number;
}

export interface Fleet {
  /** The addresses of those that answer requests. */
  urls(): readonly string[];
  /** One of a role that has another one left; null: there is none at the moment. */
  killOne(chance: Chance): Promise<FleetRole | null>;
  /** How many are ready. */
  ready(): number;
  /** False: a process ended by itself. */
  allRun(): boolean;
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
    ...{ role, dir: join(dir, `${role}-${at}`), env: envAt(at), starting: null, server: null, starts: 0 },
  }));
  for (const place of places) mkdirSync(place.dir, { recursive: true });
  let failed: unknown = null;

  const open = async (place: Place): Promise<void> => {
    place.starts += 1;
    const folder = { dir: place.dir, key, logFile: join(place.dir, 'log'), compiled };
    place.starting = start({ ...folder, env: { ...env, ...place.env, MEMOIR_ROLE: place.role } });
    place.server = await place.starting.ready;
  };
  const openAgain = (place: Place): void => {
    open(place).catch((error) => {
      failed = error;
      say(`A ${place.role} did not start: ${String(error)}`);
    });
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
      openAgain(place);
      return place.role;
    },
    ready: () => places.filter(isReady).length,
    allRun: () => failed === null,
    async complete() {
      for (const place of places) {
        if (place.server !== null) continue;
        place.server = (await place.starting?.ready.catch(() => null)) ?? null;
        if (place.server === null) await open(place);
      }
    },
    stop: () =>
      Promise.all(
        places.map(async ({ role, server }) => {
          const code = (await server?.stop()) ?? null;
          if (code !== 0) say(`A ${role} ended with ${code}: ${server?.log().slice(-SHOWN)}`);
          return code;
        }),
      ),
    async end() {
      await Promise.all(places.map(({ starting }) => starting?.kill(true)));
    },
  };
};
