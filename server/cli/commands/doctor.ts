// memoir doctor: checks every part, with a probe document that is added, found and deleted.
import type { Command } from 'commander';
import type { Client } from '../connection/client.ts';
import { connect, isRemote } from '../connection/connect.ts';
import {
  type CheckResult,
  checkFolder,
  checkLock,
  checkModel,
  checkNode,
  checkParts,
  runCheck,
} from '../doctor/checks.ts';
import { runProbe } from '../doctor/probe.ts';
import { CommandFailure } from '../failure.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, withCommon } from '../options.ts';
import { createPrint, type Print } from '../output/print.ts';

const checkDataFolder = async (options: CommonOptions, host: Host): Promise<CheckResult[]> => {
  const { dataDir } = options;
  const plan = () => host.plan(dataDir === undefined ? {} : { dataDir });
  const settings = await runCheck('settings', () => plan().warnings.join(' ') || 'read');
  if (!settings.ok) return [settings];
  const dir = plan().dataDir;
  const folder = await runCheck('folder', () => checkFolder(dir));
  if (!folder.ok) return [settings, folder];
  return [settings, folder, await runCheck('lock', () => checkLock(dir, host))];
};

const checkService = async (client: Client, print: Print): Promise<CheckResult[]> => {
  let parts: CheckResult[] = [];
  const reached = await runCheck('service', async () => {
    parts = await checkParts(client);
    return client.url === null ? 'opened the folder' : `answers at ${client.url}`;
  });
  const model = await runCheck('model', () => checkModel(client));
  return [reached, ...parts, model, await runCheck('probe', () => runProbe(client, print))];
};

const checkEverything = async (options: CommonOptions, host: Host, print: Print): Promise<CheckResult[]> => {
  const findings = [await runCheck('node', checkNode)];
  if (!isRemote(options, host)) findings.push(...(await checkDataFolder(options, host)));
  if (findings.some(({ ok }) => !ok)) return findings;
  let client: Client | undefined;
  const opened = await runCheck('service', async () => {
    client = await connect(options, host, print, { creates: true });
    return 'reached';
  });
  if (client === undefined) return [...findings, opened];
  try {
    return [...findings, ...(await checkService(client, print))];
  } finally {
    await client.close();
  }
};

const resultLines = async (findings: readonly CheckResult[], print: Print): Promise<string[]> => {
  const { alignedTable } = await import('../output/layout.ts');
  return alignedTable(findings.map(({ part, ok, detail }) => [ok ? '✓' : '✗', part, detail])).map((line) =>
    line.startsWith('✗') ? print.bold(line) : line,
  );
};

const runDoctor = async (options: CommonOptions, host: Host): Promise<void> => {
  const json = options.json === true;
  const print = createPrint(json);
  const findings = await checkEverything(options, host, print);
  const bad = findings.filter(({ ok }) => !ok);
  const facts = { ok: bad.length === 0, findings };
  if (bad.length === 0)
    return print.answer(facts, [...(await resultLines(findings, print)), '', 'All checks passed.']);
  if (!json) print.answer(facts, [...(await resultLines(findings, print)), '']);
  throw new CommandFailure(bad.map(({ part, detail }) => `${part} failed: ${detail}`).join('\n'), { facts });
};

export const doctorCommand = (program: Command, host: Host): void => {
  const command = program
    .command('doctor')
    .summary('check every part and name what is broken')
    .description(
      'Checks Node, the settings, the data folder and its lock, the store, Chroma and the embedder. Then it adds a document under the tag memoir-doctor, finds it and its memory, deletes it, and checks that nothing is left. Exits with 1 if a check fails, and names the check.',
    );
  examples(withCommon(command), ['memoir doctor', 'memoir doctor --json']).action((options: CommonOptions) =>
    runDoctor(options, host),
  );
};
