// npm run test:mutation: plants faults in the source, one at a time, and says which of them no test notices.
import { appendFileSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { areas } from './areas.ts';
import { type Checkout, type Outcome, openCheckout } from './checkout.ts';
import { type Drawn, drawMutants } from './draw.ts';
import { reasonFor } from './equivalent.ts';
import { createTestChoice, type TestChoice } from './nearest.ts';
import { mutatedText } from './operators.ts';

type Verdict = 'found' | 'survived' | 'equivalent';

interface Row {
  area: string;
  place: string;
  operator: string;
  verdict: Verdict;
  /** The test that failed, or the reason why nothing can fail. */
  by: string;
}

interface Runner {
  checkout: Checkout;
  choice: TestChoice;
  limitMs: number;
  wide: boolean;
  /** True: the test file passes without a fault. A file that fails anyway has noticed nothing. */
  sound: Map<string, Promise<boolean>>;
}

/** Wider tests are many, and start servers. */
const WIDER_TIMES = 5;

const isSound = ({ checkout, sound, limitMs }: Runner, file: string): Promise<boolean> => {
  const known = sound.get(file) ?? checkout.run([file], limitMs).then(({ found }) => !found);
  sound.set(file, known);
  return known;
};

const tried = async (
  runner: Runner,
  { file, mutant }: Drawn,
  tests: readonly string[],
  limitMs: number,
): Promise<Outcome> => {
  let left = tests;
  for (;;) {
    const outcome = await runner.checkout.during(mutant.path, mutatedText(file.text, mutant), () =>
      runner.checkout.run(left, limitMs),
    );
    const failed = outcome.found ? outcome.file : null;
    if (failed === null || (await isSound(runner, failed))) return outcome;
    left = left.filter((path) => path !== failed);
  }
};

const judge = async (runner: Runner, drawn: Drawn): Promise<Row> => {
  const { area, file, mutant } = drawn;
  const row = { area: area.name, place: `${mutant.path}:${mutant.line}`, operator: mutant.operator };
  const reason = reasonFor(mutant, file.text);
  if (reason !== undefined) return { ...row, verdict: 'equivalent', by: reason };
  const nearest = runner.choice.nearest(mutant.path, area);
  const near = await tried(runner, drawn, nearest, runner.limitMs);
  if (near.found) return { ...row, verdict: 'found', by: near.by };
  if (!runner.wide) return { ...row, verdict: 'survived', by: nearest.join(' ') };
  const wider = runner.choice.wider(area, nearest);
  const far = await tried(runner, drawn, wider, runner.limitMs * WIDER_TIMES);
  if (far.found) return { ...row, verdict: 'found', by: far.by };
  return {
    ...row,
    verdict: 'survived',
    by: `${nearest.length} nearest and ${wider.length} wider test files`,
  };
};

const summary = (rows: readonly Row[]): string[] =>
  [...areas.map(({ name }) => name), 'all'].flatMap((name) => {
    const inside = rows.filter(({ area }) => name === 'all' || area === name);
    const count = (verdict: Verdict) => inside.filter((row) => row.verdict === verdict).length;
    const counted = count('found') + count('survived');
    if (inside.length === 0) return [];
    const share = counted === 0 ? 100 : Math.round((1000 * count('found')) / counted) / 10;
    return `${name}: ${count('found')} of ${counted} found (${share} %), ${count('survived')} survived, ${count('equivalent')} equivalent`;
  });

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    most: { type: 'string', default: '15' },
    area: { type: 'string' },
    only: { type: 'string' },
    /** Leaves out the first so many of the draw, to continue a run. */
    from: { type: 'string', default: '0' },
    /** Only the faults that survived in this report. */
    survivors: { type: 'string' },
    limit: { type: 'string', default: '180' },
    near: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
});

const survivedIn = (report: string | undefined) => {
  const rows = report === undefined ? null : readFileSync(report, 'utf8').split('\n');
  const survived = rows?.filter((row) => row.includes('| survived |'));
  return ({ mutant }: Drawn): boolean =>
    survived?.some((row) => row.includes(`| ${mutant.path}:${mutant.line} | ${mutant.operator} |`)) ?? true;
};

const drawn = drawMutants({
  seed: Number(values.seed),
  most: Number(values.most),
  ...(values.area === undefined ? {} : { area: values.area }),
  ...(values.only === undefined ? {} : { only: values.only }),
})
  .slice(Number(values.from))
  .filter(survivedIn(values.survivors));

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
  if (values.report !== undefined) appendFileSync(values.report, `${line}\n`);
};

const changeOf = ({ file, mutant }: Drawn): string => {
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 60);
  return `${short(file.text.slice(mutant.start, mutant.end))} → ${short(mutant.replacement)}`;
};

const runAll = async (): Promise<void> => {
  const checkout = openCheckout();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1));
  process.once('exit', checkout.close);
  const limitMs = Number(values.limit) * 1000;
  const runner = { checkout, choice: createTestChoice(), limitMs, wide: !values.near, sound: new Map() };
  const rows: Row[] = [];
  for (const each of drawn) {
    const row = await judge(runner, each);
    rows.push(row);
    say(`| ${row.area} | ${row.place} | ${row.operator} | ${changeOf(each)} | ${row.verdict} | ${row.by} |`);
  }
  say('');
  for (const line of summary(rows)) say(line);
};

say(`mutation test: seed ${values.seed}, ${drawn.length} faults`);
say('');
say('| area | place | operator | change | verdict | by |');
say('| --- | --- | --- | --- | --- | --- |');
if (values.list)
  for (const each of drawn)
    say(
      `| ${each.area.name} | ${each.mutant.path}:${each.mutant.line} | ${each.mutant.operator} | ${changeOf(each)} | | |`,
    );
else await runAll();
