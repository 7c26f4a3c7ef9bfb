// How tests run. Type tests (`*.test-d.ts`) need no run: `tsc --noEmit` compiles them in `npm run check`.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { addressesInBuild } from './test/support/built.ts';
import { ownProcess, testFiles, usesServer } from './test/support/projects.ts';

const report = process.env.MEMOIR_TEST_REPORT;

// The servers and commands that tests start read the compiled source instead of stripping its types again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/memoir-tests');

// A request that the registry leaves without an answer is sent again before a test that installs packages gives up.
process.env.npm_config_fetch_timeout ??= '30000';
process.env.npm_config_prefer_offline ??= 'true';

const together = testFiles().filter((path) => !(path in ownProcess));
const ofServer = together.filter(usesServer);
const ofUnits = together.filter((path) => !ofServer.includes(path));

/** A run of units alone goes without: a thread that it starts reads the source. */
const globalSetup = 'test/support/built.ts';

export default defineConfig({
  plugins: [addressesInBuild],
  test: {
    // CI counts from the report; people read the default.
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    pool: 'forks',
    // One more than there are cores: a worker keeps three quarters of a core busy, because tests wait for servers.
    maxWorkers: Math.min(6, availableParallelism() + 1),
    teardownTimeout: 15_000,
    projects: [
      // A process for each file, the longest files first.
      {
        extends: true,
        test: { name: 'alone', include: Object.keys(ownProcess), isolate: true, globalSetup },
      },
      // A process and a server for as many files as its worker runs.
      { extends: true, test: { name: 'server', include: ofServer, isolate: false, globalSetup } },
      // A process for as many files as its worker runs.
      { extends: true, test: { name: 'unit', include: ofUnits, isolate: false } },
    ],
    // Generous: a machine that does other work is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
