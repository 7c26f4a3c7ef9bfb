// Tests of a gate that holds callers back until it opens.
import { describe, expect, it } from 'vitest';
import { createGate } from '../../../server/lib/async/gate.ts';

describe('a gate', () => {
  it('lets waiting and later callers through, until it is closed', async () => {
    const gate = createGate();
    const waiting = gate.pass();
    gate.open();
    await waiting;
    await gate.pass(new AbortController().signal);
    gate.close();
    await expect(gate.pass(AbortSignal.timeout(5))).rejects.toThrow('timeout');
  });

  it('rejects waiting callers, and later callers wait again', async () => {
    const gate = createGate();
    const waiting = gate.pass();
    gate.refuse('The folder is locked.', false);
    await expect(waiting).rejects.toThrow('The folder is locked.');
    const later = gate.pass();
    gate.open();
    await later;
  });

  it('rejects everyone after a final refusal', async () => {
    const gate = createGate();
    gate.refuse('There is no Chroma for this system.', true);
    await expect(gate.pass()).rejects.toThrow('no Chroma');
  });

  it('releases a caller whose signal is aborted', async () => {
    await expect(createGate().pass(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
