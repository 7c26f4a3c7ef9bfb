import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStopwatch } from '../../../../server/adapters/extract/process/stopwatch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a stopwatch', () => {
  it('reports the end of the allowed time, with that time', () => {
    const over = vi.fn();
    createStopwatch(1_000, over);
    vi.advanceTimersByTime(999);
    expect(over).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(over).toHaveBeenCalledExactlyOnceWith(1_000);
  });

  it('stands still while it is paused', () => {
    const over = vi.fn();
    const watch = createStopwatch(1_000, over);
    vi.advanceTimersByTime(600);
    watch.pause();
    vi.advanceTimersByTime(60_000);
    watch.go();
    watch.go();
    vi.advanceTimersByTime(399);
    expect(over).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(over).toHaveBeenCalledOnce();
  });

  it('accepts a new limit while it runs or is paused, counted from its start', () => {
    const over = vi.fn();
    const watch = createStopwatch(1_000, over);
    vi.advanceTimersByTime(900);
    watch.allow(5_000);
    vi.advanceTimersByTime(4_000);
    watch.pause();
    watch.allow(6_000);
    vi.advanceTimersByTime(60_000);
    expect(over).not.toHaveBeenCalled();
    watch.go();
    vi.advanceTimersByTime(1_100);
    expect(over).toHaveBeenCalledExactlyOnceWith(6_000);
  });

  it('stays stopped', () => {
    const over = vi.fn();
    const watch = createStopwatch(1_000, over);
    watch.stop();
    watch.go();
    watch.allow(1);
    vi.advanceTimersByTime(60_000);
    expect(over).not.toHaveBeenCalled();
  });
});
