// Work with a limit of time. AbortSignal.timeout would leave a timer for the whole limit behind each call, and a signal that
// is aborted in the end, which costs more than short work itself.

/** Runs the work with a signal that is aborted when the time is over, with a TimeoutError, or with that of the caller. */
export const withTimeLimit = async <T>(
  ms: number,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const limit = new AbortController();
  const leave = () => limit.abort(caller.reason);
  if (caller.aborted) leave();
  caller.addEventListener('abort', leave, { once: true });
  const timer = setTimeout(
    () => limit.abort(new DOMException('The time of the call is over', 'TimeoutError')),
    ms,
  );
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', leave);
  }
};
