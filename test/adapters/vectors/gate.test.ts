import { describe, expect, it } from 'vitest';
import { createGate } from '../../../server/adapters/vectors/gate.ts';

describe('a gate', () => {
  it('lets through who waits and who comes later, until it is closed', async () => {
    const gate = createGate();
    const waiting = gate.pass();
    gate.open();
    await waiting;
    await gate.pass(AbortSignal.timeout(1_000));
    gate.close();
    await expect(gate.pass(AbortSignal.timeout(5))).rejects.toThrow('timeout');
  });

  it('turns away who waits; who comes later waits anew', async () => {
    const gate = createGate();
    const waiting = gate.pass();
    gate.refuse('The folder is locked.', false);
    await expect(waiting).rejects.toThrow('The folder is locked.');
    const later = gate.pass();
    gate.open();
    await later;
  });

  it('turns away everyone after a final refusal', async () => {
    const gate = createGate();
    gate.refuse('There is no Chroma for this system.', true);
    await expect(gate.pass()).rejects.toThrow('no Chroma');
  });

  it('lets go of who no longer wants to wait', async () => {
    await expect(createGate().pass(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
