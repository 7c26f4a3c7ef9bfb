// Memoirs of several sizes, filled once and shared by the measurements that need a large one.
import { CHARACTERS, fill } from './fill.ts';
import { type Server, startServer } from './memoir.ts';
import { residentMb } from './process.ts';
import { questionAbout, randomFrom } from './texts.ts';

export interface Store {
  chunks: number;
  server: Server;
  /** The memory of the server when the last of them was searchable. */
  filledMb: number;
}

export interface Stores {
  all(): Promise<readonly Store[]>;
  largest(): Promise<Store>;
  close(): Promise<void>;
}

export const TAG_CHUNKS = 1000;
/** The searched tag; it is filled first and is the same in every store. */
export const SEARCHED_TAG = 'tag_0';

/** The tag of a chunk by its number. */
export const tagOfChunk = (number: number): string => `tag_${Math.floor(number / TAG_CHUNKS)}`;

const open = async (chunks: number): Promise<Store> => {
  const server = await startServer();
  try {
    await fill(server, { from: 0, count: chunks, tagOf: tagOfChunk });
    await server.settled();
    return { chunks, server, filledMb: residentMb(server.pid) };
  } catch (error) {
    await server.close();
    throw error;
  }
};

export const createStores = (sizes: readonly number[]): Stores => {
  const opened = new Map<number, Store>();
  const get = async (chunks: number): Promise<Store> => {
    const known = opened.get(chunks);
    if (known) return known;
    const started = performance.now();
    const store = await open(chunks);
    opened.set(chunks, store);
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`  filled a store with ${chunks} chunks in ${seconds} s`);
    return store;
  };
  return {
    async all() {
      const stores: Store[] = [];
      for (const size of sizes) stores.push(await get(size));
      return stores;
    },
    largest: () => get(Math.max(...sizes)),
    async close() {
      for (const { server } of opened.values()) await server.close();
      opened.clear();
    },
  };
};

/** Questions about the content of the searched tag, none twice in a row. */
export const questions = (seed: number): (() => string) => {
  const random = randomFrom(seed);
  return () => questionAbout(Math.floor(random() * TAG_CHUNKS), CHARACTERS, random);
};
