// `npm run test:soak`: a server under a moderate mixed load for an hour. Its memory, handles and files must not grow.
import { parseArgs } from 'node:util';
import { startServer } from '../bench/support/memoir.ts';
import { createMixedLoad } from './mixed-load.ts';
import { FEWEST_SAMPLES, judge, observe, type Sample, sampleLine } from './samples.ts';

const SAMPLE_MS = 60_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '8' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(`npm run test:soak -- [--minutes 60] [--rate 8]

Sends that many calls a second (adds, re-sends, uploads, searches, profiles, lists, forgets, deletions) to a server of its own,
prints its memory, handles and files every minute, and ends with 1 if they grew after the first sixth of the time.`);
  process.exit(0);
}

const minutes = Number(values.minutes);
if (!(minutes >= FEWEST_SAMPLES)) throw new Error(`At least ${FEWEST_SAMPLES} minutes show a growth.`);
const server = await startServer();
try {
  const load = createMixedLoad(server, Number(values.rate), (failure) => console.log(failure));
  const end = Date.now() + minutes * 60_000;
  const samples: Sample[] = [];
  while (Date.now() < end) {
    await load.run(Math.min(SAMPLE_MS, end - Date.now()));
    const sample = observe(server, load.counts());
    samples.push(sample);
    console.log(sampleLine(samples.length, sample));
  }
  const problems = judge(samples);
  for (const problem of problems) console.log(problem);
  if (problems.length === 0) console.log('Memory, handles and files did not grow.');
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await server.close();
}
