// Runs test files with every server on a PostgreSQL: `npm run test:postgres`, or with other files `npm run test:postgres -- test/rest`.
import { spawnSync } from 'node:child_process';

const FILES = [
  ...['test/adapters/store/postgres', 'test/service/postgres', 'test/isolation/isolation.test.ts'],
  ...['test/isolation/agents.test.ts', 'test/mcp/tools.test.ts', 'test/rest/keys-use.test.ts'],
];

const given = process.argv.slice(2);
const { status } = spawnSync('npx', ['vitest', 'run', ...(given.length === 0 ? FILES : given)], {
  stdio: 'inherit',
  env: { ...process.env, MEMOIR_TEST_ON: 'postgres', MEMOIR_TEST_REQUIRE_POSTGRES: '1' },
});
process.exitCode = status ?? 1;
