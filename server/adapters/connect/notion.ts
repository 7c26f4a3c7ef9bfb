// The pages of a Notion workspace that people shared with the connection, and the rows of its databases.
import { z } from 'zod';
import { isSignedDelivery } from './hooks/signature.ts';
import { sourceKind } from './kind.ts';
import { askNotion, createNotionNames, isInTrash, NOTION_PAGE } from './notion/api.ts';
import { lookAtWorkspace } from './notion/look.ts';
import { readNotionPage } from './notion/read-page.ts';
import type { Account, Grant, HookDelivery, HookVerdict, OpenSource, ReadItem, SourceTools } from './port.ts';
import { SourceError } from './source-error.ts';

const BOT = z.object({
  id: z.string(),
  name: z.string().nullish(),
  bot: z
    .object({
      workspace_name: z.string().nullish(),
      owner: z
        .object({
          user: z.object({ person: z.object({ email: z.string().optional() }).optional() }).optional(),
        })
        .optional(),
    })
    .optional(),
});

const whoIsBot = async (tools: SourceTools, signal: AbortSignal): Promise<Account> => {
  const asked = { shape: BOT, what: 'the account of the token', template: '/v1/users/me' };
  const found = await askNotion(tools, '/v1/users/me', { ...asked, signal });
  if (found === null) throw new SourceError('bad_answer', 'Notion named no account for the token.');
  const email = found.bot?.owner?.user?.person?.email;
  return { account: found.id, ...(email === undefined ? {} : { email }) };
};

/** Search does not show everything, so only the page itself tells that it is gone. */
const pageExists = async (
  tools: SourceTools,
  { id }: ReadItem,
  signal: AbortSignal,
): Promise<'here' | 'gone'> => {
  const asked = { shape: NOTION_PAGE, what: 'a page', template: '/v1/pages/{id}', missing: [404] };
  const found = await askNotion(tools, `/v1/pages/${id}`, { ...asked, signal });
  return found === null || isInTrash(found) ? 'gone' : 'here';
};

const EVENT = z.object({ id: z.string().optional(), type: z.string().optional() });
const GREETING = z.object({ verification_token: z.string().min(1) });

const hookBody = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
};

const checkNotionHook = ({ headers, body, secret, hmac }: HookDelivery): HookVerdict => {
  const greeting = secret === '' ? GREETING.safeParse(hookBody(body)) : null;
  if (greeting?.success === true) return { kind: 'secret', secret: greeting.data.verification_token };
  if (!isSignedDelivery({ secret, hmac }, headers['x-notion-signature'])) return { kind: 'refuse' };
  const { data: event } = EVENT.safeParse(hookBody(body));
  if (event?.type === undefined || !/^(?:page|data_source|database)\./.test(event.type))
    return { kind: 'ignore' };
  return { kind: 'wake', delivery: event.id ?? null };
};

const openNotion = (_grant: Grant, tools: SourceTools): OpenSource => {
  const names = createNotionNames(tools);
  return {
    who: (signal) => whoIsBot(tools, signal),
    look: (cursor, _choice, signal) => lookAtWorkspace({ tools, names, signal }, cursor),
    read: (item, signal) => readNotionPage(tools, names, item, signal),
    exists: (item, signal) => pageExists(tools, item, signal),
  };
};

export const notion = sourceKind({
  provider: 'notion',
  title: 'Notion',
  signIn: {
    app: 'notion',
    authorizeUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    revokeUrl: 'https://api.notion.com/v1/oauth/revoke',
    revokeAs: { method: 'POST', tokenField: 'token' },
    scopes: [],
    clientAuth: 'basic',
    extra: { owner: 'user' },
  },
  secrets: ['token'],
  options: ['token'],
  choosing: 'never',
  whole: true,
  pace: { perSecond: 3, parallel: 3, lookEveryMs: 10 * 60_000 },
  folders: false,
  checkOptions: () => null,
  credentials: ({ secrets }) =>
    secrets.token ? { kind: 'bearer', token: secrets.token } : { kind: 'signed-in' },
  // A conflict and an overload pass.
  judge: (status) => (status === 409 || status === 529 ? 'unavailable' : null),
  checkHook: checkNotionHook,
  hooksByHand: true,
  open: openNotion,
});
