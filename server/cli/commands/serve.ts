// memoir serve: runs the service until it is asked to stop.
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Command } from 'commander';
import { giveBackAtRest } from '../../lib/give-back.ts';
import type { Memoir } from '../../service.ts';
import type { Host, Plan } from '../host.ts';
import { examples, wholeNumber, withFolder } from '../options.ts';
import { createPrint, type Print } from '../print.ts';
import { onSignals, onUnexpected, type Stopping } from '../stop.ts';
import { takeTurn } from '../turn.ts';
import { tellFirstKey, welcome } from '../welcome.ts';

interface ServeOptions {
  json?: true;
  dataDir?: string;
  port?: number;
  host?: string;
}

const planOf = (options: ServeOptions, host: Host): Plan =>
  host.plan({
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
    ...(options.port === undefined ? {} : { port: String(options.port) }),
    ...(options.host === undefined ? {} : { host: options.host }),
  });

/** A command that has the folder will be finished soon; another server will not, and opening says so. */
async function openWhenFree(plan: Plan, host: Host, print: Print): Promise<Memoir> {
  const turn = await takeTurn(plan, host, print);
  return 'memoir' in turn ? turn.memoir : plan.open();
}

/** A port that is taken ends the start; then nothing stays open, and a key that was just made is not lost. */
async function listen(memoir: Memoir, tell: () => void): Promise<string> {
  try {
    return await memoir.listen();
  } catch (error) {
    tell();
    await memoir.close();
    throw error;
  }
}

/** What is wrong and has a reason; a part that only just starts has none. */
async function warn(memoir: Memoir, plan: Plan, print: Print): Promise<void> {
  for (const warning of plan.warnings) print.note(`Note: ${warning}`);
  const { parts } = await memoir.service.health();
  for (const [part, { status, detail }] of Object.entries(parts)) {
    const wrong = status === 'degraded' || status === 'down';
    if (wrong && detail !== undefined) print.note(`Note: ${part} is ${status}: ${detail}.`);
  }
}

/** Asked to stop while it opens, it is closed in order if that is soon over; an embedder that hangs is not waited for. */
const OPENING_MS = 3_000;

function openedOrStopped(opening: Promise<Memoir>, { asked }: Stopping): Promise<Memoir | null> {
  // Nobody may be left to hear that it failed.
  opening.catch(() => undefined);
  return Promise.race([opening, asked.then(() => sleep(OPENING_MS, null))]);
}

async function serve(options: ServeOptions, host: Host): Promise<void> {
  const print = createPrint(options.json === true);
  onUnexpected((error) =>
    print.note(`Memoir ends because of an error that nobody expected: ${inspect(error)}`),
  );
  const stopping = onSignals(() => print.note('Ended at once.'));
  const plan = planOf(options, host);
  const opening = openWhenFree({ ...plan, open: () => plan.open({ serving: true }) }, host, print);
  const memoir = await openedOrStopped(opening, stopping);
  if (memoir === null) return print.note('Stopped before it was ready.');
  const url = await listen(memoir, () => tellFirstKey(memoir, plan, host, print));
  const { orgId, firstKey } = memoir;
  const ready = { url, orgId, firstKey, dataDir: plan.dataDir };
  print.answer({ ...ready, version: host.version, pid: process.pid }, welcome(ready, host, print));
  await warn(memoir, plan, print);
  giveBackAtRest();

  await stopping.asked;
  print.note('Stopping: requests finish, running work is handed back. A second signal ends it at once.');
  stopping.limit(() =>
    print.note('Stopping took too long; what was not finished is taken up at the next start.'),
  );
  await memoir.close();
}

export function serveCommand(program: Command, host: Host): void {
  const command = program
    .command('serve')
    .summary('run the server')
    .description(
      'Runs the server until it is stopped. The first start makes the data folder and prints a key, once. Settings come from the environment: see docs/settings.md.',
    )
    .option(
      '-p, --port <port>',
      'the port; 0 takes any free one (default: PORT, else 6767)',
      wholeNumber(0, 65_535),
    )
    .option('--host <address>', 'the address to listen on (default: HOST, else 127.0.0.1)');
  examples(withFolder(command), [
    'memoir serve',
    'memoir serve --port 0 --data-dir /var/lib/memoir --json',
  ]).action((options: ServeOptions) => serve(options, host));
}
