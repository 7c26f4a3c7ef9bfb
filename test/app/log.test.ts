// Tests of the log.
import { expect, test } from 'vitest';
import { createLog } from '../../server/app/log.ts';
import { createEvents } from '../../server/core/events.ts';
import type { LogLevel } from '../../server/core/log.ts';
import { newKey } from '../../server/domain/access/keys/key-text.ts';
import { newId } from '../../server/lib/ids.ts';

function logging(level: LogLevel) {
  const lines: string[] = [];
  const log = createLog({ level, destination: { write: (line) => lines.push(line) } });
  return { log, lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test('a secret is in no field and no sentence of the log', () => {
  const { log, lines } = logging('debug');
  const key = newKey(newId());
  log.info({ key, headers: { authorization: `Bearer ${key}`, 'x-api-key': key } }, 'A field.');
  log.error({ err: new Error(`refused ${key} and sk-proj-abcdefghijklmnop1234`) }, `Sent as Bearer ${key}`);
  const text = JSON.stringify(lines());
  expect(text).not.toContain(key);
  expect(text).not.toContain('sk-proj');
  expect(text).toContain('[secret]');
});

test('a container tag that resembles a key stays readable', () => {
  const { log, lines } = logging('info');
  log.info({ tag: 'sm_project_default_and_more' }, 'A tag.');
  expect(lines()[0]).toMatchObject({ tag: 'sm_project_default_and_more' });
});

test('slow calls are logged, and other calls only on request', () => {
  const call = { operation: 'a.b', way: 'rest', requestId: 'r', keyId: 'k', status: 200, ms: 3 } as const;
  const quiet = logging('info');
  const recorded: number[] = [];
  const events = createEvents({ log: quiet.log, record: ({ ms }) => recorded.push(ms) });
  events.called(call);
  events.called({ ...call, ms: 9_000 });
  expect(quiet.lines()).toMatchObject([{ level: 40, operation: 'a.b', ms: 9_000 }]);
  expect(recorded).toEqual([3, 9_000]);
});

test('a failure is logged with its cause', () => {
  const { log, lines } = logging('info');
  createEvents({ log }).broke({ where: 'a.b', requestId: 'r', cause: new Error('why') });
  expect(lines()).toMatchObject([{ level: 50, where: 'a.b', requestId: 'r', err: { message: 'why' } }]);
});
