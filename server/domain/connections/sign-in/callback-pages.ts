// The page after a failed sign-in. Nothing of the request is repeated: it holds codes.
import { REAUTHORIZE } from '../refusals.ts';

export type SignInFault =
  | 'unknown_link'
  | 'used_link'
  | 'expired_link'
  | 'access_denied'
  | 'missing_scope'
  | 'no_refresh_token'
  | 'other_account'
  | 'source_failed';

const NEW_LINK = `Ask for a new link with ${REAUTHORIZE}.`;

const SENTENCES: Readonly<Record<SignInFault, (title: string) => string>> = {
  unknown_link: () =>
    'This sign-in was not started by this server, or its connection was removed. Nothing was changed. Create the connection again and open its link.',
  used_link: () => `This sign-in was already completed. Nothing was changed. ${NEW_LINK}`,
  expired_link: () => `This sign-in was started more than an hour ago. Nothing was changed. ${NEW_LINK}`,
  access_denied: (title) => `The access to ${title} was denied, so nothing is synced. ${NEW_LINK}`,
  missing_scope: (title) =>
    `Not everything was allowed that the connection needs of ${title}. Open a new link and leave all boxes ticked. ${NEW_LINK}`,
  no_refresh_token: (title) =>
    `${title} gave access for an hour only, and no refresh token. Remove the application from the account's list of connected applications, then sign in again. ${NEW_LINK}`,
  other_account: (title) =>
    `This is another account of ${title} than the one that the connection syncs, and two accounts must not be mixed. Sign in with the former account, or create a connection of its own.`,
  source_failed: (title) => `${title} did not complete the sign-in. ${NEW_LINK}`,
};

export const signInSentence = (fault: SignInFault, title: string): string => SENTENCES[fault](title);
