// The writes about webhooks of connections, by name: those of deliveries and requests, and those of the duty that keeps them.
import type { AuditNote } from '../../../core/audit.ts';
import type { Reach } from '../../../core/scope.ts';
import type { NamedLease } from '../../../lib/async/background/handover.ts';
import type { Writer } from '../engine/writer.ts';
import type {
  Farewell,
  HandMadeHook,
  HeardDelivery,
  HeldHooks,
  HooksEnd,
} from '../ports/connections/hooks.ts';
import { endFarewell, giveBackFarewell, leaseFarewell } from '../queries/connections/farewells.ts';
import {
  beginHook,
  endHooks,
  forgetOldHooks,
  hearDelivery,
  hookByHand,
  leaseHooks,
  makeHookByHand,
  noteHookBase,
  replaceHookSecret,
  secretOfHook,
} from '../queries/connections/hooks.ts';
import { type Audited, ifDone } from './audited.ts';

export const createHookCommands = (
  writer: Writer,
  { now, audited }: { now: () => number; audited: Audited },
  announced: <T>(work: Promise<T>) => Promise<T>,
) => ({
  hearDelivery: (delivery: HeardDelivery) =>
    announced(writer.write((tx) => hearDelivery(tx, delivery, now()))),
  secretOfHook: (tokenHash: string) => writer.write((tx) => secretOfHook(tx, tokenHash)),
  replaceHookSecret: (tokenHash: string, secrets: { sealed: string; replacement: string }) =>
    writer.write((tx) => replaceHookSecret(tx, tokenHash, secrets)),
  makeHookByHand: (reach: Reach, connection: string, hook: HandMadeHook, note?: AuditNote | null) =>
    writer.write(audited(note, (tx) => makeHookByHand({ tx, reach, now: now() }, connection, hook), ifDone)),
  hookByHand: (reach: Reach, connection: string) => writer.write((tx) => hookByHand(tx, reach, connection)),
});

export const createHookDutyCommands = (writer: Writer, now: () => number) => ({
  leaseHooks: (connection: string, lease: NamedLease) =>
    writer.write((tx) => leaseHooks(tx, connection, lease, now()), 'ingest'),
  beginHook: (held: HeldHooks, hook: HandMadeHook) =>
    writer.write((tx) => beginHook({ tx, now: now() }, held, hook), 'ingest'),
  endHooks: (held: HeldHooks, end: HooksEnd) => writer.write((tx) => endHooks(tx, held, end), 'ingest'),
  noteHookBase: (base: string | null) =>
    writer.write(async (tx) => void (await noteHookBase(tx, base, now())), 'ingest'),
  forgetOldHooks: () => writer.write((tx) => forgetOldHooks(tx, now()), 'ingest'),
  leaseFarewell: (id: string, lease: NamedLease) =>
    writer.write((tx) => leaseFarewell(tx, id, lease, now()), 'ingest'),
  giveBackFarewell: (id: string, lease: string) =>
    writer.write((tx) => giveBackFarewell(tx, id, lease, now()), 'ingest'),
  endFarewell: (farewell: Pick<Farewell, 'id' | 'lease'>, dueAt: number | null) =>
    writer.write((tx) => endFarewell(tx, farewell, dueAt), 'ingest'),
});
