// The `memoir` command: its subcommands, its errors and its exit code.

import { Command, CommanderError } from 'commander';
import { messageOf } from '../lib/failures.ts';
import { CommandFailure, FAILED, MISUSED } from './failure.ts';
import type { Host } from './host.ts';
import { examples } from './options.ts';
import { createPrint } from './output/print.ts';

type AddCommand = (program: Command, host: Host) => void;

const loadKeysCommand = async (): Promise<AddCommand> => {
  const [create, list, change, rotate, disable] = await Promise.all([
    import('./commands/keys/create.ts'),
    import('./commands/keys/list.ts'),
    import('./commands/keys/change.ts'),
    import('./commands/keys/rotate.ts'),
    import('./commands/keys/disable.ts'),
  ]);
  return (program, host) => {
    const keys = program
      .command('keys')
      .summary('create, list, change, rotate and disable keys')
      .description('Creates, lists, changes, rotates and disables the keys of this Memoir.')
      .helpOption('-h, --help', 'show this help');
    create.keysCreateCommand(keys, host);
    list.keysListCommand(keys, host);
    change.keysChangeCommand(keys, host);
    rotate.keysRotateCommand(keys, host);
    disable.keysDisableCommand(keys, host);
    examples(keys, ['memoir keys create --tag user_ada', 'memoir keys list']);
  };
};

const loadGrantsCommand = async (): Promise<AddCommand> => {
  const [{ grantsListCommand }, { grantsRevokeCommand }] = await Promise.all([
    import('./commands/grants/list.ts'),
    import('./commands/grants/revoke.ts'),
  ]);
  return (program, host) => {
    const grants = program
      .command('grants')
      .summary('list and disconnect programs')
      .description('Lists the programs that are connected to this Memoir, and disconnects them.')
      .helpOption('-h, --help', 'show this help');
    grantsListCommand(grants, host);
    grantsRevokeCommand(grants, host);
    examples(grants, ['memoir grants list', 'memoir grants revoke 1BQ8vWzUqTfGZ4kS9xNc7d']);
  };
};

const loadSecretsCommand = async (): Promise<AddCommand> => {
  const [{ secretsRotateCommand }, { secretsForgetCommand }] = await Promise.all([
    import('./commands/secrets-rotate.ts'),
    import('./commands/secrets-forget.ts'),
  ]);
  return (program, host) => {
    const secrets = program
      .command('secrets')
      .summary('change the key of stored secrets, or give up those whose key was lost')
      .description(
        'Encrypts the secrets of settings and connections with a new key, or gives up those whose key was lost.',
      )
      .helpOption('-h, --help', 'show this help');
    secretsRotateCommand(secrets, host);
    secretsForgetCommand(secrets, host);
    examples(secrets, ['memoir secrets rotate', 'memoir secrets forget']);
  };
};

const loadAuditCommand = async (): Promise<AddCommand> => {
  const [list, verify, exporting] = await Promise.all([
    import('./commands/audit/list.ts'),
    import('./commands/audit/verify.ts'),
    import('./commands/audit/export.ts'),
  ]);
  return (program, host) => {
    const audit = program
      .command('audit')
      .summary('list, verify and export the audit log')
      .description('Shows who changed keys, grants, settings and tags, and checks that no row was changed.')
      .helpOption('-h, --help', 'show this help');
    list.auditListCommand(audit, host);
    verify.auditVerifyCommand(audit, host);
    exporting.auditExportCommand(audit, host);
    examples(audit, ['memoir audit list --action key', 'memoir audit verify']);
  };
};

const loadQuotasCommand = async (): Promise<AddCommand> => {
  const [{ quotasListCommand }, { quotasSetCommand }] = await Promise.all([
    import('./commands/quotas/list.ts'),
    import('./commands/quotas/set.ts'),
  ]);
  return (program, host) => {
    const quotas = program
      .command('quotas')
      .summary('list and set quotas')
      .description('Limits what keys, members and container tags may use in a day or a month.')
      .helpOption('-h, --help', 'show this help');
    quotasListCommand(quotas, host);
    quotasSetCommand(quotas, host);
    examples(quotas, ['memoir quotas list', 'memoir quotas set --tag user_ada --documents-per-day 1000']);
  };
};

const loadModelsCommand = async (): Promise<AddCommand> => {
  const [{ modelsListCommand }, { modelsAddCommand }, { modelsUseCommand }, { modelsRemoveCommand }] =
    await Promise.all([
      import('./commands/models/list.ts'),
      import('./commands/models/add.ts'),
      import('./commands/models/use.ts'),
      import('./commands/models/remove.ts'),
    ]);
  return (program, host) => {
    const models = program
      .command('models')
      .summary('install and choose models on this machine')
      .description(
        'Installs models that run on this machine with no key and no other server, and chooses the models that search, rerank and read.',
      )
      .helpOption('-h, --help', 'show this help');
    modelsListCommand(models, host);
    modelsAddCommand(models, host);
    modelsUseCommand(models, host);
    modelsRemoveCommand(models, host);
    examples(models, ['memoir models add minilm', 'memoir models use minilm']);
  };
};

const loadConnectionsCommand = async (): Promise<AddCommand> => {
  const [list, add, change, history, hook, signIn] = await Promise.all([
    import('./commands/connections/list.ts'),
    import('./commands/connections/add.ts'),
    import('./commands/connections/change.ts'),
    import('./commands/connections/history.ts'),
    import('./commands/connections/hook.ts'),
    import('./commands/connections/sign-in.ts'),
  ]);
  return (program, host) => {
    const connections = program
      .command('connections')
      .summary('keep outside sources in sync')
      .description('Connects buckets, drives, mail, notes and websites, and keeps their content in sync.')
      .helpOption('-h, --help', 'show this help');
    list.connectionsListCommand(connections, host);
    add.connectionsAddCommand(connections, host);
    change.connectionsChangeCommands(connections, host);
    history.connectionsHistoryCommands(connections, host);
    hook.connectionsHookCommand(connections, host);
    signIn.connectionsReauthorizeCommand(connections, host);
    examples(connections, [
      'memoir connections list',
      'memoir connections add s3 --set bucket=papers --secrets keys.txt',
    ]);
  };
};

/** In the order of the help. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  add: async () => (await import('./commands/add.ts')).addCommand,
  search: async () => (await import('./commands/search.ts')).searchCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  keys: loadKeysCommand,
  grants: loadGrantsCommand,
  members: async () => (await import('./commands/team/members.ts')).membersCommand,
  invites: async () => (await import('./commands/team/invites.ts')).invitesCommand,
  mail: async () => (await import('./commands/team/mail.ts')).mailCommand,
  audit: loadAuditCommand,
  connections: loadConnectionsCommand,
  quotas: loadQuotasCommand,
  mcp: async () => (await import('./commands/mcp/mcp.ts')).mcpCommand,
  models: loadModelsCommand,
  reindex: async () => (await import('./commands/reindex.ts')).reindexCommand,
  remember: async () => (await import('./commands/remember.ts')).rememberCommand,
  secrets: loadSecretsCommand,
  'migrate-store': async () => (await import('./commands/migrate-store.ts')).migrateStoreCommand,
  compact: async () => (await import('./commands/compact.ts')).compactCommand,
  retry: async () => (await import('./commands/retry.ts')).retryCommand,
  import: async () => (await import('./commands/import-supermemory.ts')).importCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
};

/** Only the named command is loaded, because loading all of them takes longer than most of them run. */
const loadCommands = ([first = '']: readonly string[]): Promise<AddCommand[]> => {
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined;
  return Promise.all((named === undefined ? Object.values(commands) : [named]).map((load) => load()));
};

const createProgram = async (argv: readonly string[], host: Host): Promise<Command> => {
  const program = new Command('memoir')
    .description('The content memory for AI agents: add anything, search it, keep it on your own machine.')
    .version(host.version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    // "mcp" and "mcp install" have options of the same name: each belongs to the command before it.
    .enablePositionalOptions()
    // `end` prints the error, so commander must not.
    .configureOutput({ outputError: () => {} });
  for (const addTo of await loadCommands(argv)) addTo(program, host);
  return examples(program, [
    'memoir serve',
    'memoir add notes.md --tag project',
    'memoir search "What did we decide about the deadline?" --tag project',
  ]);
};

/** The command that was called, as far as it is known: `memoir keys create`. */
const calledCommand = (program: Command, argv: readonly string[]): string => {
  let [command, path] = [program, program.name()];
  for (const word of argv) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    [command, path] = [next, `${path} ${word}`];
  }
  return path;
};

/** Turns `error: unknown option '--x'` into a sentence. */
const misuse = ({ message }: CommanderError, called: string): string => {
  const text = message
    .replace(/^error: /, '')
    .replace(/\s+/g, ' ')
    .trim();
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return `${/[.?!)]$/.test(sentence) ? sentence : `${sentence}.`} See ${called} --help.`;
};

const BUGS = [TypeError, ReferenceError, RangeError, SyntaxError];

/** An error of the program itself: it is printed with its stack. */
const isBug = (error: unknown): boolean => BUGS.some((kind) => error instanceof kind);

/** Prints the error and returns the exit code. */
const end = (error: unknown, argv: readonly string[], program: Command): number => {
  const print = createPrint(argv.includes('--json'));
  if (error instanceof CommanderError) {
    // Commander ends with this error after help and version too; `memoir` alone shows the help and fails.
    if (error.exitCode === 0) return 0;
    if (error.code !== 'commander.help') print.failure(misuse(error, calledCommand(program, argv)), {});
    return MISUSED;
  }
  if (isBug(error) && error instanceof Error && error.stack) print.note(error.stack);
  const facts = error instanceof CommandFailure ? error.facts : {};
  print.failure(messageOf(error), facts);
  return error instanceof CommandFailure ? error.exitCode : FAILED;
};

/** `argv`: the arguments without program and file. Resolves with the exit code. */
export const runCommand = async (argv: readonly string[], host: Host): Promise<number> => {
  const program = await createProgram(argv, host);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    return end(error, argv, program);
  }
};
