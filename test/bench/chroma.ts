// Measures the Chroma adapter on this machine: `node test/bench/chroma.ts [vectors=20000]`.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChromaServer } from '../../server/adapters/vectors/chroma/server/supervisor.ts';
import { createChromaIndex } from '../../server/adapters/vectors/chroma/vector-index.ts';
import { Scope } from '../../server/core/scope.ts';

const DIMENSIONS = 384;
const BATCH = 300;
const TRUE_NEIGHBOURS = 100;
const count = Number(process.argv[2] ?? 20_000);

let seed = 12345;
const random = (): number => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};

/** Hashed words of one of 300 topics, as the builtin embedder makes them. */
const hashedText = (): Float32Array => {
  const vector = new Float32Array(DIMENSIONS);
  const topic = Math.floor(random() * 300);
  for (let word = 0; word < 60; word += 1) {
    const common = Math.floor(Math.exp(random() * Math.log(30_000)));
    const id = random() < 0.4 ? 1e6 + topic * 50 + Math.floor(random() * 50) : common;
    for (let gram = 0; gram < 3; gram += 1) {
      let hash = Math.imul(id * 3 + gram + 1, 2654435761) >>> 0;
      hash = Math.imul(hash ^ (hash >>> 15), 2246822507) >>> 0;
      const at = (hash ^ (hash >>> 13)) >>> 0;
      vector[at % DIMENSIONS] =
        (vector[at % DIMENSIONS] ?? 0) + (at & 0x80000000 ? -1 : 1) * (gram === 0 ? 1 : 0.5);
    }
  }
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
};

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
};

const residentMb = (pid: number | null): number => {
  const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(line ?? 0) / 1024);
};

const folder = await mkdtemp(join(tmpdir(), 'chroma-bench-'));
const scope = Scope.mint(null, null);
const began = performance.now();
const server = createChromaServer({ folder: join(folder, 'chroma'), log: () => {} });
await server.ready();
console.log(`ready after ${Math.round(performance.now() - began)} ms, ${residentMb(server.pid())} MB`);

const index = createChromaIndex({ url: server.url, namespace: 'bench' });
const rows = Array.from({ length: count }, (_, n) => ({ n, container: n % 1_000, vector: hashedText() }));
const cpu = process.cpuUsage();
const start = performance.now();
for (let i = 0; i < count; i += BATCH) await index.upsert(1, DIMENSIONS, rows.slice(i, i + BATCH));
const took = performance.now() - start;
const used = process.cpuUsage(cpu);
console.log(
  `${count} upserts in batches of ${BATCH}: ${Math.round((count / took) * 1_000)}/s, ` +
    `${Math.round((used.user + used.system) / count)} µs of this process each, Chroma ${residentMb(server.pid())} MB`,
);

const queries = Array.from({ length: 20 }, hashedText);
const truth = queries.map((query) =>
  rows
    .map((row) => ({ n: row.n, score: dot(query, row.vector) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, TRUE_NEIGHBOURS)
    .map((row) => row.n),
);

const measure = async (k: number): Promise<void> => {
  const times: number[] = [];
  let found = 0;
  for (let i = 0; i < 60; i += 1) {
    const at = i % queries.length;
    const asked = performance.now();
    const vector = queries[at] ?? new Float32Array(DIMENSIONS);
    const hits = new Set(
      (await index.nearest(scope, { space: 1, vector, k, containers: null })).map((hit) => hit.n),
    );
    times.push(performance.now() - asked);
    found += (truth[at] ?? []).filter((n) => hits.has(n)).length / TRUE_NEIGHBOURS / 60;
  }
  times.sort((a, b) => a - b);
  const recall = `${found.toFixed(3)} of the true ${TRUE_NEIGHBOURS}`;
  console.log(`k=${k}: p50 ${times[30]?.toFixed(1)} ms, p95 ${times[57]?.toFixed(1)} ms, ${recall}`);
};
for (const k of [100, 1_000, 2_000]) await measure(k);

const removing = performance.now();
await index.remove(
  1,
  rows.slice(0, 3_000).map((row) => row.n),
);
console.log(`3000 removals: ${Math.round(performance.now() - removing)} ms`);
const stopping = performance.now();
await server.stop();
console.log(`stopped in ${Math.round(performance.now() - stopping)} ms`);
await rm(folder, { recursive: true });
