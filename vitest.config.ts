// How tests run. Type tests (`*.test-d.ts`) need no run: `tsc --noEmit` compiles them in `npm run check`.
import { defineConfig } from 'vitest/config';

const report = process.env.MEMOIR_TEST_REPORT;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'test/crash/**'],
    // A process of its own for each file: tests start servers, threads and children.
    pool: 'forks',
    // One is what two cores get otherwise, and most of a test is waiting for a server.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 15_000,
    // CI counts from the report; people read the default.
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});
