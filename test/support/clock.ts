// A clock that tests turn by hand.
export interface Clock {
  now: () => number;
  pass(ms: number): void;
}

export function createClock(start: number = Date.UTC(2026, 2, 1)): Clock {
  let time = start;
  return {
    now: () => time,
    pass: (ms) => {
      time += ms;
    },
  };
}
