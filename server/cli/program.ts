// The `memoir` command: its subcommands, and how it ends.
import { Command, CommanderError } from 'commander';
import { addCommand } from './commands/add.ts';
import { doctorCommand } from './commands/doctor.ts';
import { grantsListCommand } from './commands/grants-list.ts';
import { grantsRevokeCommand } from './commands/grants-revoke.ts';
import { importCommand } from './commands/import-supermemory.ts';
import { keysCreateCommand } from './commands/keys-create.ts';
import { keysDisableCommand } from './commands/keys-disable.ts';
import { keysListCommand } from './commands/keys-list.ts';
import { mcpCommand } from './commands/mcp.ts';
import { reindexCommand } from './commands/reindex.ts';
import { searchCommand } from './commands/search.ts';
import { serveCommand } from './commands/serve.ts';
import { statusCommand } from './commands/status.ts';
import { CommandFailure, FAILED, MISUSED, textOf } from './failure.ts';
import type { Host } from './host.ts';
import { examples } from './options.ts';
import { createPrint } from './print.ts';

function keysCommand(program: Command, host: Host): void {
  const keys = program
    .command('keys')
    .summary('create, list and disable keys')
    .description('Creates, lists and disables the keys of this Memoir.')
    .helpOption('-h, --help', 'show this help');
  keysCreateCommand(keys, host);
  keysListCommand(keys, host);
  keysDisableCommand(keys, host);
  examples(keys, ['memoir keys create --tag user_ada', 'memoir keys list']);
}

function grantsCommand(program: Command, host: Host): void {
  const grants = program
    .command('grants')
    .summary('list and disconnect programs')
    .description('Lists the programs that were connected to this Memoir, and disconnects them.')
    .helpOption('-h, --help', 'show this help');
  grantsListCommand(grants, host);
  grantsRevokeCommand(grants, host);
  examples(grants, ['memoir grants list', 'memoir grants revoke 1BQ8vWzUqTfGZ4kS9xNc7d']);
}

function createProgram(host: Host): Command {
  const program = new Command('memoir')
    .description('The content memory for AI agents: add anything, search it, keep it on your own machine.')
    .version(host.version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    // An option belongs to the command that it stands behind: "mcp" and "mcp install" have some of the same name.
    .enablePositionalOptions()
    // What was typed wrongly is told once, by `end`.
    .configureOutput({ outputError: () => {} });
  serveCommand(program, host);
  addCommand(program, host);
  searchCommand(program, host);
  statusCommand(program, host);
  keysCommand(program, host);
  grantsCommand(program, host);
  mcpCommand(program, host);
  reindexCommand(program, host);
  importCommand(program, host);
  doctorCommand(program, host);
  return examples(program, [
    'memoir serve',
    'memoir add notes.md --tag project',
    'memoir search "What did we decide about the deadline?" --tag project',
  ]);
}

/** `error: unknown option '--x'` as a sentence. */
function misuse({ message }: CommanderError): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/\s+/g, ' ')
    .trim();
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return `${/[.?!)]$/.test(sentence) ? sentence : `${sentence}.`} See memoir --help.`;
}

const BUGS = [TypeError, ReferenceError, RangeError, SyntaxError];

/** Where a sentence alone would not help anyone to find the cause. */
const isBug = (error: unknown): boolean => BUGS.some((kind) => error instanceof kind);

/** Tells why, and gives the exit code. */
function end(error: unknown, argv: readonly string[]): number {
  const print = createPrint(argv.includes('--json'));
  if (error instanceof CommanderError) {
    // Help and version end in this way as well; `memoir` alone shows its help and did nothing.
    if (error.exitCode === 0) return 0;
    if (error.code !== 'commander.help') print.failure(misuse(error), {});
    return MISUSED;
  }
  if (isBug(error) && error instanceof Error && error.stack) print.note(error.stack);
  const facts = error instanceof CommandFailure ? error.facts : {};
  print.failure(textOf(error), facts);
  return error instanceof CommandFailure ? error.exitCode : FAILED;
}

/** `argv` without the program and its file. Resolves with the exit code. */
export async function runCommand(argv: readonly string[], host: Host): Promise<number> {
  try {
    await createProgram(host).parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    return end(error, argv);
  }
}
