// The attacker on a thread of its own, so that its work delays no measured request on the client's side.
import { parentPort } from 'node:worker_threads';
import { serveCalls } from '../../../server/lib/threads/rpc.ts';
import { type Attack, type Attacker, prepareAttack, runAttack } from './attacks.ts';

export type AttackCommands = {
  prepare(attack: Attack): Promise<void>;
  /** Returns at once. */
  begin(attack: Attack, attacker: Attacker): Promise<void>;
  /** Leaves, and returns when every connection is closed. */
  end(): Promise<void>;
};

if (!parentPort) throw new Error('attacking-thread.ts must be started as a worker thread.');

let running: Promise<void> = Promise.resolve();
let leaving = new AbortController();

serveCalls<AttackCommands>(parentPort, {
  prepare: async (attack) => prepareAttack(attack),
  async begin(attack, attacker) {
    leaving = new AbortController();
    running = runAttack(attack, attacker, leaving.signal);
    running.catch(() => undefined);
  },
  async end() {
    leaving.abort();
    await running;
  },
});
