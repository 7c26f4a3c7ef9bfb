// The webhooks that a fake source calls: the public address of a server leads to the one on loopback.

export interface HookCall {
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface HookCallAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface HookCalls {
  /** `origin` is at `url`. Nothing is called before. */
  reach(origin: string, url: string): void;
  call(call: HookCall): Promise<HookCallAnswer>;
  /** Everything that was called so far, and answered. */
  readonly answers: readonly (HookCall & HookCallAnswer)[];
  /** Until all calls are answered. */
  settled(): Promise<void>;
}

const UNREACHABLE: HookCallAnswer = { status: 0, type: '', text: 'The host is not known.' };

export const createHookCalls = (): HookCalls => {
  const origins = new Map<string, string>();
  const answers: (HookCall & HookCallAnswer)[] = [];
  const open = new Set<Promise<unknown>>();

  const send = async ({ address, headers, body }: HookCall): Promise<HookCallAnswer> => {
    const url = new URL(address);
    const local = origins.get(url.origin);
    if (local === undefined) return UNREACHABLE;
    const response = await fetch(`${local}${url.pathname}${url.search}`, {
      method: 'POST',
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body: body as string }),
    });
    const text = await response.text();
    return { status: response.status, type: response.headers.get('content-type') ?? '', text };
  };

  return {
    answers,
    reach(origin, url) {
      origins.set(origin, url);
    },
    async call(call) {
      const sent = send(call);
      open.add(sent);
      const answer = await sent.finally(() => open.delete(sent));
      answers.push({ ...call, ...answer });
      return answer;
    },
    async settled() {
      while (open.size > 0) await Promise.allSettled(open);
    },
  };
};
