// A Chroma of its own behind a door, as CHROMA_URL would name one, so that tests can count, hold and shut what passes.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createChromaServer } from '../../../server/adapters/vectors/chroma/server/supervisor.ts';
import { newDataFolder } from '../../support/data-folder.ts';
import { type Door, startDoor } from './door.ts';

export interface ExternalChroma {
  readonly door: Door;
  /** Past the door. */
  url(): string;
  close(): Promise<void>;
}

export const startExternalChroma = async (): Promise<ExternalChroma> => {
  const root = newDataFolder('chroma');
  const server = createChromaServer({ folder: join(root, 'chroma'), log: () => undefined });
  await server.ready();
  const door = await startDoor(server.url);
  return {
    door,
    url: () => server.url() ?? '',
    async close() {
      await door.close();
      await server.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
};
