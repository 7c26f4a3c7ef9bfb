// Signing in and joining by pages.
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { MemoirError } from '../../core/errors.ts';
import { publicAddress } from '../allowed-hosts.ts';
import { type Fields, fieldOf } from '../pages/form-fields.ts';
import { sendPage } from '../pages/page-responses.ts';
import { readQuery } from '../routes.ts';
import { setSession } from '../session-cookie.ts';
import { type ConsoleDeps, visitorOf } from './context.ts';
import {
  donePage,
  invitationPage,
  keyOncePage,
  linkPage,
  mailSentPage,
  memberSignInPage,
} from './entry-pages.ts';

const OIDC_COOKIE = 'memoir_oidc';

const toAccount = (res: Response): void => {
  res.writeHead(303, { location: 'account', 'cache-control': 'no-store' }).end();
};

/** The errors that a person can mend on the page itself. */
const mendable = (error: unknown): MemoirError => {
  if (error instanceof MemoirError && error.status < 500 && error.status !== 410) return error;
  throw error;
};

const signInRoutes = ({ service, base }: ConsoleDeps, form: readonly RequestHandler[]): Router => {
  const { signIn } = service.team;
  const router = Router();

  router.get('/sign-in', (_req, res) => sendPage(res, 200, memberSignInPage(signIn.ways, null)));
  router.post('/sign-in', ...form, async (req: Request, res) => {
    const fields = (req.body ?? {}) as Fields;
    try {
      if (fieldOf(fields, 'do') === 'mail') {
        const address = fieldOf(fields, 'email');
        await signIn.askLink(address, visitorOf(req));
        return sendPage(res, 202, mailSentPage(address));
      }
      setSession(req, res, base, await signIn.withKey(fieldOf(fields, 'key'), visitorOf(req)));
      toAccount(res);
    } catch (error) {
      const { status, message } = mendable(error);
      sendPage(res, status, memberSignInPage(signIn.ways, message));
    }
  });
  router.get('/link', (req, res) => sendPage(res, 200, linkPage(String(readQuery(req.url).token ?? ''))));
  router.post('/link', ...form, async (req: Request, res) => {
    const token = fieldOf((req.body ?? {}) as Fields, 'token');
    setSession(req, res, base, await signIn.withLink(token, visitorOf(req)));
    toAccount(res);
  });
  return router;
};

/** The way to the provider and back. The state is bound to the browser by a cookie that survives the way. */
const oidcRoutes = ({ service, base }: ConsoleDeps): Router => {
  const { signIn } = service.team;
  const router = Router();
  const secure = base.startsWith('https:') ? '; Secure' : '';
  router.get('/oidc', async (_req, res) => {
    const { url, state } = await signIn.beginOidc();
    res.setHeader(
      'set-cookie',
      `${OIDC_COOKIE}=${state}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax${secure}`,
    );
    res.writeHead(303, { location: url, 'cache-control': 'no-store' }).end();
  });
  router.get('/oidc/callback', async (req, res) => {
    const state = new RegExp(`(?:^|; *)${OIDC_COOKIE}=([\\w-]+)`).exec(req.headers.cookie ?? '')?.[1] ?? '';
    const answer = new URL(`${publicAddress(req, base)}/console${req.url}`);
    setSession(req, res, base, await signIn.finishOidc(answer, state, visitorOf(req)));
    // A Strict cookie is not sent with the redirect of another site, so a page of this server leads on.
    sendPage(res, 200, donePage('You are signed in', 'The provider has signed you in.'));
  });
  return router;
};

const joinRoutes = ({ service, base }: ConsoleDeps, form: readonly RequestHandler[]): Router => {
  const { joining } = service.team;
  const router = Router();
  router.get('/join', async (req, res) => {
    const token = String(readQuery(req.url).token ?? '');
    sendPage(res, 200, invitationPage(token, await joining.look(token, visitorOf(req)), null));
  });
  router.post('/join', ...form, async (req: Request, res) => {
    const fields = (req.body ?? {}) as Fields;
    const token = fieldOf(fields, 'token');
    if (fieldOf(fields, 'do') !== 'accept') {
      await joining.decline(token, visitorOf(req));
      return sendPage(res, 200, donePage('Declined', 'You declined the invitation. Nothing was made of it.'));
    }
    const name = fieldOf(fields, 'name').slice(0, 120);
    const joined = await joining.accept(token, name === '' ? undefined : name, visitorOf(req));
    setSession(req, res, base, joined.cookie);
    if (joined.key === null) return toAccount(res);
    sendPage(res, 200, keyOncePage('Welcome', joined.key));
  });
  return router;
};

export const entryRoutes = (deps: ConsoleDeps, form: readonly RequestHandler[]): Router => {
  const router = Router();
  router.use(signInRoutes(deps, form), oidcRoutes(deps), joinRoutes(deps, form));
  return router;
};
