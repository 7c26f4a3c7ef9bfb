// The sign-in at Google. Without `prompt=consent` a second sign-in brings no refresh token.
import type { SignIn } from '../port.ts';

const EMAIL_SCOPE = 'https://www.googleapis.com/auth/userinfo.email';

export const googleSignIn = (scope: string): SignIn => ({
  app: 'google',
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  revokeUrl: 'https://oauth2.googleapis.com/revoke',
  scopes: [scope, EMAIL_SCOPE],
  clientAuth: 'body',
  extra: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'false' },
  needsRefreshToken: true,
});
