// The two consent steps of the connect page: sign in with a key, then choose the access of the program.
import { z } from 'zod';
import { containerTag } from '../../../tools/shared/tags.ts';
import { listTags } from '../../../tools/tags/list.ts';
import type { Invoke } from '../../calls/invoke.ts';
import type { Service } from '../../calls/service.ts';
import { intentOf } from '../../core/audit-note.ts';
import { MemoirError } from '../../core/errors.ts';
import { describeIssues } from '../../lib/issues.ts';
import { fieldOf } from '../pages/form-fields.ts';
import type { Visit } from '../pages/page-responses.ts';
import type { ConsentRequest } from './access-request.ts';
import { choicePage, DAYS, signInPage } from './pages.ts';
import { createTickets } from './ticket.ts';

type Grants = Service['access']['grants'];
type Holder = Awaited<ReturnType<Grants['signIn']>>;

export interface GrantChoice {
  permission: 'read' | 'write';
  /** Null: all container tags of the key. */
  tags: string[] | null;
  expiresInDays: number;
}

export type ConsentDecision =
  | { kind: 'page'; status: number; page: ReturnType<typeof signInPage> }
  | { kind: 'deny' }
  | { kind: 'allow'; holder: Holder; choice: GrantChoice };

export interface ConsentDeps {
  grants: Grants;
  invoke: Invoke;
}

/** The most tags shown as checkboxes. */
const MOST_TAGS = 100;

const list = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((input) => (typeof input === 'string' ? [input] : (input ?? [])));

const choiceFields = z.object({
  permission: z.enum(['read', 'write']),
  days: z.coerce.number().refine((days) => DAYS.some((one) => one === days), {
    error: 'choose one of the numbers of days in the list',
  }),
  tag: list,
  otherTags: z.string().default(''),
  everything: z.literal('yes').optional(),
});

const tagNames = z
  .array(containerTag)
  .min(1, { error: 'choose at least one container tag, or everything' })
  .max(MOST_TAGS);

const parsedChoice = <T>(schema: z.ZodType<T>, input: unknown): T => {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  throw new MemoirError(400, `This choice is not valid: ${describeIssues(read.error.issues)}`);
};

const readGrantChoice = (fields: unknown): GrantChoice => {
  const { permission, days, tag, otherTags, everything } = parsedChoice(choiceFields, fields);
  const others = otherTags.split(',').map((one) => one.trim());
  const named = [...tag, ...others.filter((one) => one !== '')];
  if (everything !== undefined && named.length > 0)
    throw new MemoirError(400, 'Choose container tags or everything, not both.');
  return {
    permission,
    expiresInDays: days,
    tags: everything === undefined ? parsedChoice(tagNames, named) : null,
  };
};

/** Returns errors of the person, for the page; rethrows every other error. */
const pageProblem = (error: unknown): MemoirError => {
  if (error instanceof MemoirError && error.status < 500) return error;
  throw error;
};

const knownTags = async (invoke: Invoke, holder: Holder, { meta, signal }: Visit): Promise<string[]> => {
  if (holder.tags !== null) return [...holder.tags];
  const known = listTags.output.safeParse(await invoke.run(listTags, {}, holder, { ...meta, signal }));
  return known.success ? known.data.slice(0, MOST_TAGS).map((one) => one.containerTag) : [];
};

/** The audit log notes what the holder gives. */
const giving = (holder: Holder, { meta }: Visit): Holder => ({
  ...holder,
  audit: intentOf(holder, 'grant.allow', meta),
});

const signInStep = (accessRequest: ConsentRequest, problem: MemoirError | null): ConsentDecision => ({
  kind: 'page',
  status: problem?.status ?? 200,
  page: signInPage(accessRequest, problem?.message ?? null),
});

export const createConsent = ({ grants, invoke }: ConsentDeps) => {
  const tickets = createTickets(grants.tokens);

  async function choiceStep(
    accessRequest: ConsentRequest,
    holder: Holder,
    visit: Visit,
    problem: MemoirError | null,
  ): Promise<ConsentDecision> {
    const ticket = await tickets.write(holder.keyId, accessRequest.request);
    const tags = await knownTags(invoke, holder, visit);
    const page = choicePage(accessRequest, { holder, tags, ticket, problem: problem?.message ?? null });
    return { kind: 'page', status: problem?.status ?? 200, page };
  }

  async function allow(
    accessRequest: ConsentRequest,
    fields: Record<string, unknown>,
    visit: Visit,
  ): Promise<ConsentDecision> {
    const keyId = await tickets.redeem(fieldOf(fields, 'ticket'), accessRequest.request);
    const holder = keyId === null ? null : await grants.giver(keyId);
    if (holder === null)
      return signInStep(
        accessRequest,
        new MemoirError(
          401,
          'The request expired or was already answered, or the key is no longer valid. Paste a key again.',
        ),
      );
    try {
      const choice = readGrantChoice(fields);
      if (choice.permission === 'write' && !accessRequest.mayWrite)
        throw new MemoirError(400, 'The program did not request write permission. Choose read permission.');
      return { kind: 'allow', holder: giving(holder, visit), choice };
    } catch (error) {
      return choiceStep(accessRequest, holder, visit, pageProblem(error));
    }
  }

  return {
    begin: (accessRequest: ConsentRequest): ConsentDecision => signInStep(accessRequest, null),
    /** Any input other than a key or a clear approval counts as a denial. */
    async decide(
      accessRequest: ConsentRequest,
      fields: Record<string, unknown>,
      visit: Visit,
    ): Promise<ConsentDecision> {
      const step = fieldOf(fields, 'do');
      if (step === 'allow') return allow(accessRequest, fields, visit);
      if (step !== 'signIn') return { kind: 'deny' };
      try {
        const holder = await grants.signIn(fieldOf(fields, 'key'), visit.meta.address);
        return await choiceStep(accessRequest, holder, visit, null);
      } catch (error) {
        return signInStep(accessRequest, pageProblem(error));
      }
    },
  };
};

export type Consent = ReturnType<typeof createConsent>;
