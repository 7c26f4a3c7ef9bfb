// memoir serve: runs the server until it is stopped.

import { inspect } from 'node:util';
import { type Command, Option } from 'commander';
import type { Memoir } from '../../calls/memoir.ts';
import { PROCESS_ROLES, type ProcessRole } from '../../core/processes/role.ts';
import { pause } from '../../lib/async/wait.ts';
import { giveBackAtRest } from '../../lib/threads/return-memory.ts';
import { openFolderOrServer } from '../connection/folder-access.ts';
import type { Host, ServerPlan } from '../host.ts';
import { examples, wholeNumberOption, withFolder } from '../options.ts';
import { createPrint, type Print } from '../output/print.ts';
import { type StartLook, serverNotes, tellFirstKey, welcome } from '../output/welcome.ts';
import { onSignals, onUnexpected, type Stopping } from '../signals.ts';

interface ServeOptions {
  json?: true;
  dataDir?: string;
  port?: number;
  host?: string;
  role?: ProcessRole;
}

const serverPlan = (options: ServeOptions, host: Host): ServerPlan =>
  host.plan({
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
    ...(options.port === undefined ? {} : { port: String(options.port) }),
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.role === undefined ? {} : { role: options.role }),
  });

/** Waits for a command that holds the folder. If a server holds it, opening fails with that reason. */
const openWhenFree = async (plan: ServerPlan, host: Host, print: Print): Promise<Memoir> => {
  const turn = await openFolderOrServer(plan, host, print);
  return 'memoir' in turn ? turn.memoir : plan.open();
};

/** If the port is taken, prints a key that was just created, closes everything and fails. */
const listenOrClose = async (memoir: Memoir, printKey: () => void): Promise<string> => {
  try {
    return await memoir.listen();
  } catch (error) {
    printKey();
    await memoir.close();
    throw error;
  }
};

/** Prints the warnings of the settings and the parts that do not work, with the reason. */
const printWarnings = async (memoir: Memoir, plan: ServerPlan, print: Print): Promise<void> => {
  for (const warning of plan.warnings) print.note(`Note: ${warning}`);
  const { parts } = await memoir.service.health();
  for (const [part, { status, detail }] of Object.entries(parts)) {
    const wrong = status === 'degraded' || status === 'down';
    if (wrong && detail !== undefined) print.note(`Note: ${part} is ${status}: ${detail}.`);
  }
};

/** Nobody waits for it: the server answers meanwhile. A busy machine takes more than a second. */
const LOOK_MS = 5_000;

/** Mentions servers of models on this machine, after the server is ready. */
const printServers = async (look: Promise<StartLook>, host: Host, print: Print): Promise<void> => {
  for (const note of serverNotes(await look, host)) print.note(note);
};

/** A stop signal while opening waits this long for an orderly end; an embedder may hang for longer. */
const OPENING_MS = 3_000;

const openedOrStopped = (opening: Promise<Memoir>, { asked }: Stopping): Promise<Memoir | null> => {
  // The failure is reported by the caller, or is of no interest once the server stops.
  opening.catch(() => undefined);
  return Promise.race([opening, asked.then(() => pause(OPENING_MS).then(() => null))]);
};

const runServer = async (options: ServeOptions, host: Host): Promise<void> => {
  const print = createPrint(options.json === true);
  onUnexpected((error) => print.note(`Memoir stops because of an unexpected error: ${inspect(error)}`));
  const stopping = onSignals(() => print.note('Ended at once.'));
  const plan = serverPlan(options, host);
  const opening = openWhenFree({ ...plan, open: () => plan.open({ serving: true }) }, host, print);
  const memoir = await openedOrStopped(opening, stopping);
  if (memoir === null) return print.note('Stopped before it was ready.');
  const url = await listenOrClose(memoir, () => tellFirstKey(memoir, plan, host, print));
  const { orgId, firstKey } = memoir;
  const ready = { url, orgId, firstKey, dataDir: plan.dataDir };
  print.answer({ ...ready, version: host.version, pid: process.pid }, welcome(ready, host, print));
  await printWarnings(memoir, plan, print);
  const look = memoir.service.models.look(LOOK_MS);
  await Promise.race([printServers(look, host, print), stopping.asked]);
  giveBackAtRest();

  await stopping.asked;
  print.note(
    'Stopping: open requests finish, running work returns to the queue. A second signal stops at once.',
  );
  stopping.limit(() => print.note('Stopping took too long. The next start continues the unfinished work.'));
  await memoir.close();
};

export const serveCommand = (program: Command, host: Host): void => {
  const command = program
    .command('serve')
    .summary('run the server')
    .description(
      'Runs the server until it is stopped. The first start creates the data folder and prints a key once. Settings come from the environment: see docs/settings.md.',
    )
    .option(
      '-p, --port <port>',
      'the port; 0 takes any free one (default: PORT, or 6767)',
      wholeNumberOption(0, 65_535),
    )
    .option('--host <address>', 'the address to listen on (default: HOST, or 127.0.0.1)')
    .addOption(
      new Option(
        '--role <role>',
        'the share of the work, where several processes use one PostgreSQL (default: MEMOIR_ROLE, or all)',
      ).choices(PROCESS_ROLES),
    );
  examples(withFolder(command), [
    'memoir serve',
    'memoir serve --port 0 --data-dir /var/lib/memoir --json',
    'memoir serve --role worker',
  ]).action((options: ServeOptions) => runServer(options, host));
};
