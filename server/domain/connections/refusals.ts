// The refusals of calls about connections.
import type { ConnectionState } from '../../adapters/store/ports/connections/connections.ts';
import { badRequest, type MemoirError, notFound, notImplemented } from '../../core/errors.ts';

const LISTING = 'List connections with memoir connections list or POST /v3/connections/list.';

export const noSuchConnection = (id: string): MemoirError =>
  notFound(`There is no connection ${id}. ${LISTING}`);

export const noConnectionAt = (provider: string, tags: readonly string[]): MemoirError =>
  notFound(`There is no ${provider} connection under ${tags.join(', ')}. ${LISTING}`);

export const severalConnections = (provider: string, ids: readonly string[]): MemoirError =>
  badRequest(`Several ${provider} connections fit: ${ids.join(', ')}. Name one by its id.`);

const KNOWN = 'google-drive, gmail, onedrive, notion, github, s3, web-crawler';

export const noSuchSource = (provider: string): MemoirError =>
  KNOWN.split(', ').includes(provider) || provider === 'granola'
    ? notImplemented(
        `This server cannot connect to ${provider} yet. Add its content with POST /v3/documents or upload its files.`,
      )
    : badRequest(`There is no source ${provider}. Sources are ${KNOWN}.`);

/** `meant`: the option that the name is nearly the one of. */
export const noSuchOption = (
  { provider, options }: { provider: string; options: readonly string[] },
  name: string,
  meant: string | null,
): MemoirError =>
  badRequest(
    `${provider} has no option ${name.slice(0, 80)}. ${meant === null ? '' : `Did you mean ${meant}? `}Its options are ${options.join(', ')}. Metadata of its documents has other names, and is given with --metadata or in "metadata".`,
  );

export const nothingToChoose = (title: string): MemoirError =>
  notImplemented(`${title} has nothing to choose: everything that the connection names is synced.`);

export const noHooksByHand = (title: string): MemoirError =>
  notImplemented(
    `Webhooks of ${title} are not set up by hand: Memoir makes them where the source can call. GET /v3/connections/{id} tells under "watch".`,
  );

/** The two ways to get a new link or to give new keys. */
export const REAUTHORIZE = 'memoir connections reauthorize <id> or POST /v3/connections/{id}/reauthorize';

export const notReady = (state: ConnectionState): MemoirError => {
  const advice: Partial<Record<ConnectionState, string>> = {
    waiting: `Nobody has signed in yet. Open the link of the connection, or ask for a new one with ${REAUTHORIZE}.`,
    signed_out: `The source ended the access. Sign in again with ${REAUTHORIZE}.`,
    paused:
      'The connection is paused already. To go on with it: memoir connections resume <id> or POST /v3/connections/{id}/resume.',
    held: 'The connection holds removals back. Agree to them first: memoir connections accept <id> or POST /v3/connections/{id}/accept-removals.',
  };
  return badRequest(advice[state] ?? `The connection is ${state}, so this cannot be done now.`);
};

export const cannotPause = (state: ConnectionState): MemoirError =>
  state === 'choosing'
    ? badRequest('Nothing is synced before something is chosen, so there is nothing to pause.')
    : notReady(state);

/** A connection without access would ask in vain, so it needs a sign-in and no resumption. */
export const cannotResume = (state: ConnectionState): MemoirError =>
  state === 'waiting' || state === 'signed_out'
    ? notReady(state)
    : badRequest('The connection is not paused, so it cannot be resumed.');

export const holdsNothing = (): MemoirError =>
  badRequest('The connection holds no removals, so there is nothing to accept.');
