// The session of a browser over REST, for consoles with scripts: sign in, sign out, invitations.
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { email } from '../../../tools/team/schemas/team.ts';
import { badRequest, MemoirError } from '../../core/errors.ts';
import { describeIssues } from '../../lib/issues.ts';
import { jsonBody } from '../bodies/parsed.ts';
import { sendJson } from '../send.ts';
import { dropSession, isFromOwnPage, sessionCookie, setSession } from '../session-cookie.ts';
import { type ConsoleDeps, visitorOf } from './context.ts';

const BODY_BYTES = 16 * 1024;
const json = jsonBody(BODY_BYTES);

const key = z.object({ key: z.string().min(1).max(500) });
const token = z.object({ token: z.string().min(1).max(200) });
const acceptance = token.extend({ name: z.string().trim().min(1).max(120).optional() });

const bodyOf = <T>(schema: z.ZodType<T>, req: Request): T => {
  const read = schema.safeParse(req.body ?? {});
  if (read.success) return read.data;
  throw badRequest(`Invalid request: ${describeIssues(read.error.issues)}`);
};

/** A page of another origin can post JSON only after a preflight, which the type of the body forces. */
const ownPage =
  (base: string): RequestHandler =>
  (req, _res, next) => {
    if (!isFromOwnPage(req, base))
      throw new MemoirError(
        403,
        'Sessions belong to pages of this server. Send a key as "Authorization: Bearer <key>" instead, or the header x-memoir-console: 1 from a page of this server.',
      );
    next();
  };

export const sessionRoutes = (deps: ConsoleDeps): Router => {
  const { service, base } = deps;
  const { signIn, joining } = service.team;
  const router = Router();
  const guards = [ownPage(base), json];

  router.get('/session/ways', (_req, res) => sendJson(res, 200, { key: true, ...signIn.ways }));
  router.post('/session', guards, async (req: Request, res: Response) => {
    setSession(req, res, base, await signIn.withKey(bodyOf(key, req).key, visitorOf(req)));
    res.writeHead(204).end();
  });
  router.delete('/session', ownPage(base), async (req, res) => {
    const cookie = sessionCookie(req, base);
    if (cookie !== null) await service.access.signOut(cookie, visitorOf(req).address);
    dropSession(req, res, base);
    res.writeHead(204).end();
  });
  router.post('/session/email', guards, async (req: Request, res: Response) => {
    await signIn.askLink(bodyOf(z.object({ email }), req).email, visitorOf(req));
    sendJson(res, 202, { accepted: true });
  });
  router.post('/session/link', guards, async (req: Request, res: Response) => {
    setSession(req, res, base, await signIn.withLink(bodyOf(token, req).token, visitorOf(req)));
    res.writeHead(204).end();
  });
  router.post('/invitation', guards, async (req: Request, res: Response) => {
    const { expiresAt, ...invited } = await joining.look(bodyOf(token, req).token, visitorOf(req));
    sendJson(res, 200, { ...invited, expiresAt: new Date(expiresAt).toISOString() });
  });
  router.post('/invitation/accept', guards, async (req: Request, res: Response) => {
    const answer = bodyOf(acceptance, req);
    const joined = await joining.accept(answer.token, answer.name, visitorOf(req));
    setSession(req, res, base, joined.cookie);
    const { id, email: address, name, role } = joined.member;
    sendJson(res, 200, { id, email: address, name, role, key: joined.key });
  });
  router.post('/invitation/decline', guards, async (req: Request, res: Response) => {
    await joining.decline(bodyOf(token, req).token, visitorOf(req));
    res.writeHead(204).end();
  });
  return router;
};
