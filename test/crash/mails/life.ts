// The mails of keys that end, in a process of its own that ends itself with SIGKILL before a step of its work.

import { createSmtpTransport } from '../../../server/adapters/mail/smtp.ts';
import { openSqliteStore } from '../../../server/adapters/store/request-side/sqlite-store.ts';
import { openWritingSide } from '../../../server/adapters/store/writing-side/sqlite-writing-side.ts';
import { createMailOffice } from '../../../server/domain/team/mail/office.ts';
import { directCall } from '../../../server/lib/threads/direct-call.ts';

export interface Life {
  file: string;
  port: number;
  /** The times of its looks. */
  moments: readonly number[];
  /** Before this step it ends itself; null: it lives to the end. */
  killBefore: number | null;
}

const { file, port, moments, killBefore } = JSON.parse(process.argv[2] ?? '{}') as Life;

let steps = 0;
let clock = moments[0] ?? 0;
const now = () => clock;

/** Each call of the store and of the mail server is a step; so is what follows its end. */
const step = (): void => {
  if (steps === killBefore) process.kill(process.pid, 'SIGKILL');
  steps += 1;
};

const stepwise = <Part extends object>(part: Part, names: readonly (keyof Part)[]): Part => {
  const wrapped = { ...part };
  for (const name of names) {
    const call = part[name] as (...args: unknown[]) => Promise<unknown>;
    const inSteps = async (...args: unknown[]): Promise<unknown> => {
      step();
      const result = await call(...args);
      step();
      return result;
    };
    Object.assign(wrapped, { [name]: inSteps });
  }
  return wrapped;
};

const writing = openWritingSide({ file, now, changed: () => undefined });
const store = openSqliteStore({ file, now, call: directCall(writing.commands) });
const transport = createSmtpTransport({
  ...{ host: '127.0.0.1', port, tls: false, requireTls: false, from: 'memoir@example.org' },
});
const silent = { info: () => undefined, warn: () => undefined };
const office = createMailOffice({
  ...{ keys: stepwise(store.keys, ['list', 'byId']), members: store.team.members },
  mails: stepwise(store.mails, ['notice', 'claim', 'end']),
  transport: stepwise(transport, ['send']),
  ...{ mailTo: undefined, timezone: 'UTC', base: () => 'http://memoir.example', now, log: silent },
});
for (const moment of moments) {
  clock = moment;
  process.stdout.write(`${moment}\n`);
  await office.look();
  await office.run();
}
process.stdout.write(`steps ${steps}\n`);
await office.close();
await store.close();
await writing.close();
