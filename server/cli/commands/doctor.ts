// memoir doctor: tries every part, down to adding, remembering, finding and deleting a document.
import type { Command } from 'commander';
import { checkFolder, checkLock, checkNode, checkParts, examine, type Finding } from '../checks.ts';
import type { Client } from '../client.ts';
import { connect, isRemote } from '../connect.ts';
import { CommandFailure } from '../failure.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, withCommon } from '../options.ts';
import { createPrint, type Print } from '../print.ts';
import { probe } from '../probe.ts';
import { table } from '../text.ts';

async function examineFolder(options: CommonOptions, host: Host): Promise<Finding[]> {
  const { dataDir } = options;
  const plan = () => host.plan(dataDir === undefined ? {} : { dataDir });
  const settings = await examine('settings', () => plan().warnings.join(' ') || 'read');
  if (!settings.ok) return [settings];
  const dir = plan().dataDir;
  const folder = await examine('folder', () => checkFolder(dir));
  if (!folder.ok) return [settings, folder];
  return [settings, folder, await examine('lock', () => checkLock(dir, host))];
}

async function examineService(client: Client, print: Print): Promise<Finding[]> {
  let parts: Finding[] = [];
  const reached = await examine('service', async () => {
    parts = await checkParts(client);
    return client.url === null ? 'opened the folder' : `answers at ${client.url}`;
  });
  return [reached, ...parts, await examine('probe', () => probe(client, print))];
}

async function examineAll(options: CommonOptions, host: Host, print: Print): Promise<Finding[]> {
  const findings = [await examine('node', checkNode)];
  if (!isRemote(options, host)) findings.push(...(await examineFolder(options, host)));
  if (findings.some(({ ok }) => !ok)) return findings;
  let client: Client | undefined;
  const opened = await examine('service', async () => {
    client = await connect(options, host, print, { creates: true });
    return 'reached';
  });
  if (client === undefined) return [...findings, opened];
  try {
    return [...findings, ...(await examineService(client, print))];
  } finally {
    await client.close();
  }
}

const report = (findings: readonly Finding[], print: Print): string[] =>
  table(findings.map(({ part, ok, detail }) => [ok ? '✓' : '✗', part, detail])).map((line) =>
    line.startsWith('✗') ? print.bold(line) : line,
  );

async function doctor(options: CommonOptions, host: Host): Promise<void> {
  const json = options.json === true;
  const print = createPrint(json);
  const findings = await examineAll(options, host, print);
  const bad = findings.filter(({ ok }) => !ok);
  const facts = { ok: bad.length === 0, findings };
  if (bad.length === 0) return print.answer(facts, [...report(findings, print), '', 'All is well.']);
  if (!json) print.answer(facts, [...report(findings, print), '']);
  throw new CommandFailure(bad.map(({ part, detail }) => `${part} failed: ${detail}`).join('\n'), { facts });
}

export function doctorCommand(program: Command, host: Host): void {
  const command = program
    .command('doctor')
    .summary('try every part and say what is wrong')
    .description(
      'Tries every part: Node, the settings, the data folder and its lock, the store, Chroma, the embedder; then really adds a document under the tag memoir-doctor, finds it and the memory that is drawn from it, deletes it, and finds neither. Ends with 1 and names what failed.',
    );
  examples(withCommon(command), ['memoir doctor', 'memoir doctor --json']).action((options: CommonOptions) =>
    doctor(options, host),
  );
}
