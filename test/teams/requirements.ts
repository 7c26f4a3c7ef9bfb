// The requirements of teams, usage, metrics and the audit log, each with its tests, and with the command that measures it.
import type { MeasuredRequirement } from '../support/requirements.ts';

const BROWSER = 'test/http/console/browser.test.ts';
const TEAM = 'test/rest/team.test.ts';
const MAIL = 'test/domain/team/mail.test.ts';
const PROCESSES = 'test/service/postgres/teams.test.ts';
const USAGE = 'test/domain/usage/usage.test.ts';
const METRICS = 'test/rest/metrics.test.ts';
const AUDIT = 'test/rest/audit.test.ts';
const AUDIT_ROWS = 'test/adapters/store/contract/audit.ts';
const CLI = 'test/cli/commands.test.ts';

export const REQUIREMENTS: Readonly<Record<number, MeasuredRequirement>> = {
  1: {
    holds:
      'The published command line lists members, invites, and reads invitations, status and logs, as it ships.',
    tests: [
      ['test/client/cli-team.test.ts', 'team list and team invite work with a full key'],
      ['test/client/cli.test.ts', 'status counts what is stored, and logs lists the calls'],
      [TEAM, 'the members are listed with role and limit, to those who manage'],
    ],
  },
  2: {
    holds:
      'Without mail an owner invites by a link, and a second browser joins, signs out and in again, without a terminal.',
    tests: [[BROWSER, 'without mail an owner invites, hands the link over']],
  },
  3: {
    holds:
      'By mail it is one message for each invitation, to the right address, with a link that is good once and that looking at uses nothing of.',
    tests: [
      [BROWSER, 'with mail one message carries the invitation, its link works once'],
      [TEAM, 'is accepted once, for the address and the role that were invited'],
    ],
  },
  4: {
    holds:
      'A link works neither twice, nor after its end, nor after canceling or sending it again, nor for another address or role; 10,000 guesses fit none.',
    tests: [
      [TEAM, 'is accepted once, for the address and the role that were invited'],
      [TEAM, 'that is canceled, sent again or declined is void'],
      [TEAM, 'cannot be guessed: wrong links are slowed by 429'],
      ['test/adapters/store/contract/team.ts', `toBe('expired')`],
    ],
  },
  5: {
    holds: 'Every operation answers each role and each kind of key as the table of rights says.',
    tests: [
      [TEAM, 'every operation is open to the roles and keys of the matrix'],
      [TEAM, 'with a limit reads in both tags, writes in one, and reaches no other'],
      ['test/isolation/isolation.test.ts', 'every operation is attacked'],
    ],
  },
  6: {
    holds:
      'The sessions, personal keys and programs of a removed member get 401 at once, and within a second in other processes; the last owner stays.',
    tests: [
      [TEAM, 'ends with the member'],
      [TEAM, 'the last owner stays one'],
      [PROCESSES, 'a disabled key, an ended session and a removed member are refused at once'],
    ],
  },
  7: {
    holds:
      'Keys of 365, 30, 7 and 1 days are told 2, 2, 1 and 0 times, in one mail a day, also when the sender is killed between any two steps.',
    tests: [
      [MAIL, 'of 30, 7 and 1 days are told twice, once and never, in one digest a day'],
      [MAIL, 'of a year are told twice, also after restarts and by two processes'],
      ['test/crash-mails.test.ts', 'a sender that is killed between any two steps loses no mail'],
      [PROCESSES, 'no mail is sent twice: invitations, and notices of keys that end'],
    ],
    command: 'test:crash:mails',
  },
  8: {
    holds:
      'A mail server that refuses, hangs, or answers 4xx or 5xx slows no search; mails are tried again as listed, and the state is told.',
    tests: [
      [MAIL, 'is tried again after 1, 5, 30 minutes, 2, 6 and 12 hours, and then given up'],
      [MAIL, 'does not try again what the mail server refuses for good, and goes on'],
      [MAIL, 'waits for a mail server that is away, and says so'],
      [MAIL, 'waits for a mail server that hangs, and holds nothing else up'],
      ['test/cli/doctor/mail.test.ts', 'doctor says how many mails wait for a mail server'],
    ],
    command: 'bench -- --only q',
  },
  9: {
    holds: 'Without mail, a key that ends is marked in the list of keys, the log, the health and the doctor.',
    tests: [
      [MAIL, 'are told to nobody without mail: once a day in the log, and in the health'],
      [
        CLI,
        'doctor tries everything, leaves nothing behind, and says that nobody is told of a key that ends',
      ],
      [CLI, 'ends in 3 days, nobody told'],
    ],
  },
  10: {
    holds: '10,000 calls by five keys over three days are counted exactly, by hour, key and kind.',
    tests: [
      [USAGE, 'give exactly the calls that were made'],
      [PROCESSES, 'usage adds up to the call, and a quota holds over both within 1 %'],
    ],
  },
  11: {
    holds:
      'Counting costs at most 3 % of searches and adds, and writes once in ten seconds, which is all that a kill loses.',
    tests: [[USAGE, 'is written once in ten seconds while calls go on']],
    command: 'bench -- --only o',
  },
  12: {
    holds:
      'Of 1,000 planted words none is in the log of requests, the logs, the metrics, the audit log or the files of the database.',
    tests: [['test/rest/no-content.test.ts', 'a thousand planted words are in none of them']],
  },
  13: {
    holds:
      'Metrics parse, stay below 2,000 series after 1,000 tags and 200 keys, are closed, and have all names of the dashboard.',
    tests: [
      [METRICS, 'do not exist unless they are asked for'],
      [METRICS, 'are for full keys and for their own token'],
      [METRICS, 'count calls, and hold no tag, key or word of anybody'],
      [METRICS, 'the dashboard and the alerts name metrics that exist'],
    ],
  },
  14: {
    holds:
      'Every change leaves exactly one row in the audit log with the right actor, and a row that is meddled with is named.',
    tests: [
      [AUDIT, 'has one row for each change of every kind, by the right key or member'],
      [AUDIT, 'has none for a change that is refused or finds nothing'],
      [AUDIT, 'every operation that changes something and reaches the organisation names its action'],
      [AUDIT, 'is whole until somebody changes a row, and then names it'],
      [AUDIT_ROWS, 'names the row, whichever is'],
    ],
  },
};
