// Reads vitest's JSON report and closes the run with a plain line that counts.
// Exits with 1 when no test ran or one failed, whatever the runner said.
import { existsSync, readFileSync } from 'node:fs';

const say = (line) => process.stdout.write(`${line}\n`);

/** A file that could not be loaded has no failed test, and yet it failed. */
const brokenFiles = (report) =>
  report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((result) => result.status === 'failed'),
  );

const count = (report) => {
  const broken = brokenFiles(report);
  for (const file of broken) say(`could not run: ${file.name}`);
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + broken.length;
  const skipped = report.numPendingTests + report.numTodoTests;
  say(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed === 0 && passed > 0;
};

const [path] = process.argv.slice(2);
if (path === undefined || !existsSync(path)) {
  say('No test ran: a check before the tests failed, see above.');
  process.exitCode = 1;
} else {
  process.exitCode = count(JSON.parse(readFileSync(path, 'utf8'))) ? 0 : 1;
}
