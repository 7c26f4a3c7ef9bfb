// npm run test:crash:mails: kills the sender of mails between any two steps; ends with 1 if a mail is lost or sent as two.
import { parseArgs } from 'node:util';
import { killMails } from './kill.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } });
const report = await killMails(Number(values.rounds), { say: (line) => console.log(line) });
console.log(
  `${report.kills} kills at ${report.steps} steps: ${report.mails} mails, ${report.repeated} handed over again as the same message.`,
);
for (const problem of report.problems) console.log(problem);
process.exitCode = report.problems.length === 0 ? 0 : 1;
