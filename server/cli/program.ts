// The `memoir` command: its subcommands, its errors and its exit code.

import { Command, CommanderError } from 'commander';
import { messageOf } from '../lib/failures.ts';
import { addCommand } from './commands/add.ts';
import { compactCommand } from './commands/compact.ts';
import { doctorCommand } from './commands/doctor.ts';
import { grantsListCommand } from './commands/grants-list.ts';
import { grantsRevokeCommand } from './commands/grants-revoke.ts';
import { importCommand } from './commands/import-supermemory.ts';
import { keysCreateCommand } from './commands/keys-create.ts';
import { keysDisableCommand } from './commands/keys-disable.ts';
import { keysListCommand } from './commands/keys-list.ts';
import { mcpCommand } from './commands/mcp.ts';
import { modelsAddCommand } from './commands/models/add.ts';
import { modelsListCommand } from './commands/models/list.ts';
import { modelsRemoveCommand } from './commands/models/remove.ts';
import { modelsUseCommand } from './commands/models/use.ts';
import { reindexCommand } from './commands/reindex.ts';
import { rememberCommand } from './commands/remember.ts';
import { retryCommand } from './commands/retry.ts';
import { searchCommand } from './commands/search.ts';
import { serveCommand } from './commands/serve.ts';
import { statusCommand } from './commands/status.ts';
import { CommandFailure, FAILED, MISUSED } from './failure.ts';
import type { Host } from './host.ts';
import { examples } from './options.ts';
import { createPrint } from './output/print.ts';

const keysCommand = (program: Command, host: Host): void => {
  const keys = program
    .command('keys')
    .summary('create, list and disable keys')
    .description('Creates, lists and disables the keys of this Memoir.')
    .helpOption('-h, --help', 'show this help');
  keysCreateCommand(keys, host);
  keysListCommand(keys, host);
  keysDisableCommand(keys, host);
  examples(keys, ['memoir keys create --tag user_ada', 'memoir keys list']);
};

const grantsCommand = (program: Command, host: Host): void => {
  const grants = program
    .command('grants')
    .summary('list and disconnect programs')
    .description('Lists the programs that are connected to this Memoir, and disconnects them.')
    .helpOption('-h, --help', 'show this help');
  grantsListCommand(grants, host);
  grantsRevokeCommand(grants, host);
  examples(grants, ['memoir grants list', 'memoir grants revoke 1BQ8vWzUqTfGZ4kS9xNc7d']);
};

const modelsCommand = (program: Command, host: Host): void => {
  const models = program
    .command('models')
    .summary('install and choose models on this machine')
    .description(
      'Installs embedding models that run on this machine and finds texts by their meaning, with no key and no other server.',
    )
    .helpOption('-h, --help', 'show this help');
  modelsListCommand(models, host);
  modelsAddCommand(models, host);
  modelsUseCommand(models, host);
  modelsRemoveCommand(models, host);
  examples(models, ['memoir models add minilm', 'memoir models use minilm']);
};

const createProgram = (host: Host): Command => {
  const program = new Command('memoir')
    .description('The content memory for AI agents: add anything, search it, keep it on your own machine.')
    .version(host.version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    // "mcp" and "mcp install" have options of the same name: each belongs to the command before it.
    .enablePositionalOptions()
    // `end` prints the error, so commander must not.
    .configureOutput({ outputError: () => {} });
  serveCommand(program, host);
  addCommand(program, host);
  searchCommand(program, host);
  statusCommand(program, host);
  keysCommand(program, host);
  grantsCommand(program, host);
  mcpCommand(program, host);
  modelsCommand(program, host);
  reindexCommand(program, host);
  rememberCommand(program, host);
  compactCommand(program, host);
  retryCommand(program, host);
  importCommand(program, host);
  doctorCommand(program, host);
  return examples(program, [
    'memoir serve',
    'memoir add notes.md --tag project',
    'memoir search "What did we decide about the deadline?" --tag project',
  ]);
};

/** Turns `error: unknown option '--x'` into a sentence. */
const misuse = ({ message }: CommanderError): string => {
  const text = message
    .replace(/^error: /, '')
    .replace(/\s+/g, ' ')
    .trim();
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return `${/[.?!)]$/.test(sentence) ? sentence : `${sentence}.`} See memoir --help.`;
};

const BUGS = [TypeError, ReferenceError, RangeError, SyntaxError];

/** An error of the program itself: it is printed with its stack. */
const isBug = (error: unknown): boolean => BUGS.some((kind) => error instanceof kind);

/** Prints the error and returns the exit code. */
const end = (error: unknown, argv: readonly string[]): number => {
  const print = createPrint(argv.includes('--json'));
  if (error instanceof CommanderError) {
    // Commander ends with this error after help and version too; `memoir` alone shows the help and fails.
    if (error.exitCode === 0) return 0;
    if (error.code !== 'commander.help') print.failure(misuse(error), {});
    return MISUSED;
  }
  if (isBug(error) && error instanceof Error && error.stack) print.note(error.stack);
  const facts = error instanceof CommandFailure ? error.facts : {};
  print.failure(messageOf(error), facts);
  return error instanceof CommandFailure ? error.exitCode : FAILED;
};

/** `argv`: the arguments without program and file. Resolves with the exit code. */
export const runCommand = async (argv: readonly string[], host: Host): Promise<number> => {
  try {
    await createProgram(host).parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    return end(error, argv);
  }
};
