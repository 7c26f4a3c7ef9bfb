// Decides with a person what a program may do: first whose key it is, then what of it is given away.
import { z } from 'zod';
import { containerTag } from '../../../tools/shared/tags.ts';
import { listTags } from '../../../tools/tags/list.ts';
import { MemoirError } from '../../errors.ts';
import type { Invoke, Meta } from '../../invoke.ts';
import { describeIssues } from '../../lib/issues.ts';
import type { Service } from '../../service.ts';
import type { Asker } from './asker.ts';
import { choicePage, DAYS, signInPage } from './pages.ts';
import { readTicket, writeTicket } from './ticket.ts';

type Grants = Service['access']['grants'];
type Holder = Awaited<ReturnType<Grants['signIn']>>;

export interface Share {
  permission: 'read' | 'write';
  /** Null: all that the key may use. */
  tags: string[] | null;
  expiresInDays: number;
}

export type Decision =
  | { kind: 'page'; status: number; page: ReturnType<typeof signInPage> }
  | { kind: 'deny' }
  | { kind: 'allow'; holder: Holder; share: Share };

export interface Visit {
  address: string;
  meta: Meta;
  signal: AbortSignal;
}

export interface ConsentDeps {
  grants: Grants;
  invoke: Invoke;
  ticketKey(): Buffer;
}

/** Longer lists are not for ticking off. */
const MOST_TAGS = 100;

const list = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((given) => (typeof given === 'string' ? [given] : (given ?? [])));

const choice = z.object({
  permission: z.enum(['read', 'write']),
  days: z.coerce
    .number()
    .refine((days) => DAYS.some((one) => one === days), { error: 'choose one of the days' }),
  tag: list,
  otherTags: z.string().default(''),
  everything: z.literal('yes').optional(),
});

const tagNames = z
  .array(containerTag)
  .min(1, { error: 'choose at least one container tag, or everything' })
  .max(MOST_TAGS);

const parsed = <T>(schema: z.ZodType<T>, given: unknown): T => {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw new MemoirError(400, `This choice cannot be taken: ${describeIssues(read.error.issues)}`);
};

function readShare(fields: unknown): Share {
  const { permission, days, tag, otherTags, everything } = parsed(choice, fields);
  const others = otherTags.split(',').map((one) => one.trim());
  const named = [...tag, ...others.filter((one) => one !== '')];
  if (everything !== undefined && named.length > 0)
    throw new MemoirError(400, 'Choose container tags or everything, not both.');
  return { permission, expiresInDays: days, tags: everything === undefined ? parsed(tagNames, named) : null };
}

const text = (fields: Record<string, unknown>, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value.trim() : '';
};

/** What a person did wrong is told on the page; anything else is not theirs. */
const told = (error: unknown): MemoirError => {
  if (error instanceof MemoirError && error.status < 500) return error;
  throw error;
};

export function createConsent({ grants, invoke, ticketKey }: ConsentDeps) {
  const tagsOf = async (holder: Holder, { meta, signal }: Visit): Promise<string[]> => {
    if (holder.tags !== null) return [...holder.tags];
    const known = listTags.output.safeParse(await invoke.run(listTags, {}, holder, meta, signal));
    return known.success ? known.data.slice(0, MOST_TAGS).map((one) => one.containerTag) : [];
  };

  async function choosing(
    asker: Asker,
    holder: Holder,
    visit: Visit,
    problem: MemoirError | null,
  ): Promise<Decision> {
    const ticket = writeTicket(ticketKey(), holder.keyId, asker.request);
    const shown = { holder, tags: await tagsOf(holder, visit), ticket, problem: problem?.message ?? null };
    return { kind: 'page', status: problem?.status ?? 200, page: choicePage(asker, shown) };
  }

  const signingIn = (asker: Asker, problem: MemoirError | null): Decision => ({
    kind: 'page',
    status: problem?.status ?? 200,
    page: signInPage(asker, problem?.message ?? null),
  });

  async function allow(asker: Asker, fields: Record<string, unknown>, visit: Visit): Promise<Decision> {
    const keyId = readTicket(ticketKey(), text(fields, 'ticket'), asker.request);
    const holder = keyId === null ? null : await grants.giver(keyId);
    if (holder === null)
      return signingIn(
        asker,
        new MemoirError(401, 'This took too long, or the key ended. Paste a key again.'),
      );
    try {
      const share = readShare(fields);
      if (share.permission === 'write' && !asker.mayWrite)
        throw new MemoirError(400, 'The program did not ask to write. Choose reading.');
      return { kind: 'allow', holder, share };
    } catch (error) {
      return choosing(asker, holder, visit, told(error));
    }
  }

  return {
    begin: (asker: Asker): Decision => signingIn(asker, null),
    /** Whatever is neither a key nor a clear yes is a no. */
    async decide(asker: Asker, fields: Record<string, unknown>, visit: Visit): Promise<Decision> {
      const step = text(fields, 'do');
      if (step === 'allow') return allow(asker, fields, visit);
      if (step !== 'signIn') return { kind: 'deny' };
      try {
        return await choosing(asker, await grants.signIn(text(fields, 'key'), visit.address), visit, null);
      } catch (error) {
        return signingIn(asker, told(error));
      }
    },
  };
}

export type Consent = ReturnType<typeof createConsent>;
