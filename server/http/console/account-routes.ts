// My account, members and invitations by pages. Every form calls an operation as the person who is signed in.
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import { listGrants } from '../../../tools/grants/list.ts';
import { revokeGrant } from '../../../tools/grants/revoke.ts';
import { createAgentKey } from '../../../tools/keys/create-agent.ts';
import { disableKey } from '../../../tools/keys/disable.ts';
import { listKeys } from '../../../tools/keys/list.ts';
import type { Operation } from '../../../tools/operation.ts';
import { endBrowserSession } from '../../../tools/session/end.ts';
import { getSession } from '../../../tools/session/get.ts';
import { listSessions } from '../../../tools/session/list.ts';
import { cancelInvite } from '../../../tools/team/cancel.ts';
import { listInvites } from '../../../tools/team/invitations.ts';
import { inviteMember } from '../../../tools/team/invite.ts';
import { listMembers } from '../../../tools/team/members.ts';
import { removeMember } from '../../../tools/team/remove-member.ts';
import { resendInvite } from '../../../tools/team/resend.ts';
import { setMemberAccess } from '../../../tools/team/set-access.ts';
import { setMemberRole } from '../../../tools/team/set-role.ts';
import { MemoirError } from '../../core/errors.ts';
import { sha256 } from '../../lib/hash.ts';
import { type Fields, fieldOf } from '../pages/form-fields.ts';
import { sendPage } from '../pages/page-responses.ts';
import { dropSession, sessionCookie } from '../session-cookie.ts';
import { accountPage } from './account-page.ts';
import { type ConsoleDeps, callAs, type Exchange, visitorOf } from './context.ts';
import { keyOncePage } from './entry-pages.ts';
import { addressesOf, listOf, tagAccessOf } from './forms.ts';
import { membersPage, type TeamView } from './members-page.ts';

const leadTo = (res: Response, to: string): void => {
  res.writeHead(303, { location: to, 'cache-control': 'no-store' }).end();
};

/** Known to the pages of the session alone. */
const ticketOf = (cookie: string): string => sha256(`form ${cookie}`).slice(0, 43);

type Ask = <O extends Operation>(operation: O, input: object) => Promise<z.output<O['output']>>;

const askerOf =
  (deps: ConsoleDeps, exchange: Exchange): Ask =>
  async (operation, input) =>
    (await callAs(deps, exchange, operation, input)) as never;

/** Null instead of a refusal: the key of the session manages nothing. */
const unlessRefused = async <T>(call: Promise<T>): Promise<T | null> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof MemoirError && error.status === 403) return null;
    throw error;
  }
};

/** A person who is not signed in is led to the sign-in; what cannot be done is said on the page. */
const handled =
  (show: (exchange: Exchange, ask: Ask, problem: string | null) => Promise<void>, deps: ConsoleDeps) =>
  (act: (exchange: Exchange, ask: Ask) => Promise<void>): RequestHandler =>
  async (req, res) => {
    const exchange = { req, res };
    const ask = askerOf(deps, exchange);
    const cookie = sessionCookie(req, deps.base);
    try {
      if (cookie === null) return leadTo(res, 'sign-in');
      if (req.method === 'POST' && fieldOf((req.body ?? {}) as Fields, 'ticket') !== ticketOf(cookie))
        throw new MemoirError(403, 'This page is from another session. Do it again here.');
      await act(exchange, ask);
    } catch (error) {
      if (!(error instanceof MemoirError) || error.status >= 500) throw error;
      if (error.status === 401) return leadTo(res, 'sign-in');
      res.status(error.status);
      await show(exchange, ask, error.message);
    }
  };

const ticketFor = ({ req }: Exchange, { base }: ConsoleDeps): string =>
  ticketOf(sessionCookie(req, base) ?? '');

const showAccount =
  (deps: ConsoleDeps) =>
  async (exchange: Exchange, ask: Ask, problem: string | null): Promise<void> => {
    const session = await ask(getSession, {});
    const keys = await unlessRefused(ask(listKeys, {}));
    const [grants, sessions] =
      keys === null ? [null, null] : await Promise.all([ask(listGrants, {}), ask(listSessions, {})]);
    const own =
      keys === null || grants === null || sessions === null
        ? null
        : {
            keys: keys.keys.filter(({ owner }) => owner === undefined || owner.id === session.user.id),
            grants: grants.grants,
            sessions: sessions.sessions,
          };
    const manages = keys !== null && session.role !== 'member';
    const page = accountPage({ session, own, manages, ticket: ticketFor(exchange, deps) }, problem);
    sendPage(exchange.res, exchange.res.statusCode, page);
  };

const showMembers =
  (deps: ConsoleDeps) =>
  async (exchange: Exchange, ask: Ask, problem: string | null, invited: TeamView['invited'] = []) => {
    const members = await unlessRefused(ask(listMembers, {}));
    if (members === null) return leadTo(exchange.res, 'account');
    const { invitations } = await ask(listInvites, {});
    const view = { members: members.members, invitations, invited, ticket: ticketFor(exchange, deps) };
    sendPage(exchange.res, exchange.res.statusCode, membersPage(view, problem));
  };

const makeKey = async ({ res }: Exchange, ask: Ask, fields: Fields): Promise<void> => {
  const tags = listOf(fieldOf(fields, 'tags'));
  const days = fieldOf(fields, 'days');
  const { key } = await ask(createAgentKey, {
    ...{ name: fieldOf(fields, 'name'), permission: fieldOf(fields, 'permission') },
    ...(tags.length === 0 ? {} : { containerTags: tags }),
    ...(days === '' ? {} : { expiresInDays: days }),
  });
  sendPage(res, 200, keyOncePage('Your new key', key));
};

const actOnAccount =
  (deps: ConsoleDeps) =>
  async (exchange: Exchange, ask: Ask): Promise<void> => {
    const { req, res } = exchange;
    const fields = (req.body ?? {}) as Fields;
    const id = fieldOf(fields, 'id');
    const what = fieldOf(fields, 'do');
    if (what === 'makeKey') return makeKey(exchange, ask, fields);
    if (what === 'signOut') {
      await deps.service.access.signOut(sessionCookie(req, deps.base) ?? '', visitorOf(req).address);
      dropSession(req, res, deps.base);
      return leadTo(res, 'sign-in');
    }
    if (what === 'disableKey') await ask(disableKey, { id });
    if (what === 'revokeGrant') await ask(revokeGrant, { id });
    if (what === 'endSession') await ask(endBrowserSession, { id });
    leadTo(res, 'account');
  };

/** An address that is refused does not hide the links of the others. */
const inviteAll = async (ask: Ask, fields: Fields): Promise<TeamView['invited']> => {
  const containerTags = tagAccessOf(fieldOf(fields, 'tags'));
  const role = fieldOf(fields, 'role');
  const invited: TeamView['invited'][number][] = [];
  for (const email of addressesOf(fieldOf(fields, 'emails')))
    try {
      invited.push(await ask(inviteMember, { email, role, containerTags }));
    } catch (error) {
      if (!(error instanceof MemoirError) || error.status >= 500 || error.status === 401) throw error;
      invited.push({ email, refused: error.message });
    }
  return invited;
};

const actOnMembers =
  (deps: ConsoleDeps) =>
  async (exchange: Exchange, ask: Ask): Promise<void> => {
    const fields = (exchange.req.body ?? {}) as Fields;
    const id = fieldOf(fields, 'id');
    const what = fieldOf(fields, 'do');
    const show = showMembers(deps);
    if (what === 'invite') return show(exchange, ask, null, await inviteAll(ask, fields));
    if (what === 'resend' || what === 'link')
      return show(exchange, ask, null, [await ask(resendInvite, { id, showLink: what === 'link' })]);
    if (what === 'cancel') await ask(cancelInvite, { id });
    if (what === 'role') await ask(setMemberRole, { id, role: fieldOf(fields, 'role') });
    if (what === 'access')
      await ask(setMemberAccess, { id, containerTags: tagAccessOf(fieldOf(fields, 'tags')) });
    if (what === 'remove') await ask(removeMember, { id });
    leadTo(exchange.res, 'members');
  };

export const accountRoutes = (deps: ConsoleDeps, form: readonly RequestHandler[]): Router => {
  const router = Router();
  const account = showAccount(deps);
  const members = showMembers(deps);
  const onAccount = handled(account, deps);
  const onMembers = handled(members, deps);
  router.get(
    '/account',
    onAccount((exchange, ask) => account(exchange, ask, null)),
  );
  router.post(
    '/account',
    ...form,
    onAccount(actOnAccount(deps)) as (req: Request, res: Response) => Promise<void>,
  );
  router.get(
    '/members',
    onMembers((exchange, ask) => members(exchange, ask, null)),
  );
  router.post(
    '/members',
    ...form,
    onMembers(actOnMembers(deps)) as (req: Request, res: Response) => Promise<void>,
  );
  return router;
};
