// Files of OneDrive and of SharePoint sites, by Microsoft Graph.
import { z } from 'zod';
import { sourceKind } from './kind.ts';
import { browseOneDrive, findInOneDrive } from './onedrive/browse.ts';
import { appCredentials, askGraph, CLOUDS, cloudOf, type Graph, isAppOnly } from './onedrive/graph.ts';
import { DRIVE_HOW, isReadAsPdf } from './onedrive/items.ts';
import { lookAtDrives } from './onedrive/look.ts';
import { checkDriveHook, unwatchDrive, watchDrives } from './onedrive/subscriptions.ts';
import type { Account, Grant, OpenSource, ReadItem, SourceTools, Taken } from './port.ts';

const ME = z.object({
  id: z.string(),
  mail: z.string().nullish(),
  userPrincipalName: z.string().nullish(),
});
const FACETS = z.object({ id: z.string() });

const isWholeDrive = ({ metadata }: Grant): boolean => metadata.syncScope === 'full';

/** The path of the account's own drive; null: an app without a user has none. */
const ownDrive = (grant: Grant): string | null => {
  if (!isAppOnly(grant)) return '/me/drive';
  const { user } = grant.metadata;
  return user === undefined ? null : `/users/${encodeURIComponent(String(user))}/drive`;
};

const whoIsSignedIn = async (graph: Graph, grant: Grant): Promise<Account> => {
  if (isAppOnly(grant)) {
    const place = ownDrive(grant) ?? '/sites/root';
    // The token itself is the check; an app for single sites may not read the root.
    const missing = ownDrive(grant) === null ? [403, 404] : [];
    const asked = {
      shape: FACETS,
      what: 'the drive of the account',
      template: '/users/{user}/drive',
      missing,
    };
    await askGraph(graph, `${place}?$select=id`, asked);
    return { account: `${String(grant.metadata.tenantId)}/${String(grant.metadata.user ?? 'sites')}` };
  }
  const me = await askGraph(graph, '/me?$select=id,mail,userPrincipalName', {
    ...{ shape: ME, what: 'the account', template: '/me' },
  });
  const email = me?.mail ?? me?.userPrincipalName;
  return { account: me?.id ?? '', ...(email ? { email } : {}) };
};

/** Microsoft redirects to another host, which gets no token. */
const readDriveItem = async (graph: Graph, item: ReadItem): Promise<Taken> => {
  const { drive, item: id, mimeType } = DRIVE_HOW.parse(item.how);
  const asPdf = isReadAsPdf(item.face.title);
  const path = `/drives/${encodeURIComponent(drive)}/items/${encodeURIComponent(id)}/content`;
  const answer = await graph.ask(
    `${graph.origin}/v1.0${path}${asPdf ? '?format=pdf' : ''}`,
    { template: '/drives/{id}/items/{id}/content' },
    graph.signal,
  );
  const mediaType = asPdf ? 'application/pdf' : mimeType;
  return {
    ...{ content: 'file', name: asPdf ? `${item.face.title}.pdf` : item.face.title, bytes: answer.stream },
    ...(mediaType === null ? {} : { mediaType }),
  };
};

const openOneDrive = (grant: Grant, { ask, now }: SourceTools): OpenSource => {
  const { graph: origin } = cloudOf(grant);
  const graphFor = (signal: AbortSignal): Graph => ({ ask, origin, signal });
  const own = ownDrive(grant);
  return {
    who: (signal) => whoIsSignedIn(graphFor(signal), grant),
    look: (cursor, choice, signal) =>
      lookAtDrives(
        { graph: graphFor(signal), whole: isWholeDrive(grant) ? own : null, choice, now: now() },
        cursor,
      ),
    read: (item, signal) => readDriveItem(graphFor(signal), item),
    browse: (parent, page, perPage, signal) =>
      browseOneDrive(graphFor(signal), own, { parent, page, perPage }),
    find: (words, most, signal) => findInOneDrive(graphFor(signal), own, words, most),
    watch: (choice, address, secret, signal) =>
      watchDrives(graphFor(signal), isWholeDrive(grant) ? null : choice, own, {
        address,
        secret,
        now: now(),
      }),
    unwatch: (watched, signal) => unwatchDrive(graphFor(signal), watched),
  };
};

const checkDriveOptions = (grant: Grant): string | null => {
  const { cloud = 'global', syncScope = 'selected', clientId, user } = grant.metadata;
  if (typeof cloud !== 'string' || CLOUDS[cloud] === undefined)
    return `metadata.cloud must be one of ${Object.keys(CLOUDS).join(', ')}.`;
  if (syncScope !== 'full' && syncScope !== 'selected')
    return 'metadata.syncScope must be "selected", for what is chosen in the picker, or "full", for the whole drive.';
  if (!isAppOnly(grant))
    return cloud === 'global'
      ? null
      : `The cloud ${cloud} needs an app of its own: metadata.tenantId, metadata.clientId and metadata.clientSecret. The sign-in is that of the global cloud.`;
  if (clientId === undefined || !grant.secrets.clientSecret)
    return 'An app needs metadata.clientId and metadata.clientSecret besides metadata.tenantId.';
  return syncScope === 'full' && user === undefined
    ? 'An app that syncs a whole drive needs metadata.user, the account whose drive it is, as in "ann@example.com".'
    : null;
};

export const onedrive = sourceKind({
  provider: 'onedrive',
  title: 'OneDrive',
  signIn: {
    app: 'microsoft',
    authorizeUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
    scopes: ['offline_access', 'User.Read', 'Files.Read.All', 'Sites.Read.All'],
    clientAuth: 'body',
    needsRefreshToken: true,
  },
  secrets: ['clientSecret'],
  options: ['syncScope', 'cloud', 'tenantId', 'clientId', 'clientSecret', 'user'],
  choosing: 'must',
  whole: true,
  pace: { perSecond: 10, parallel: 4, lookEveryMs: 10 * 60_000 },
  folders: true,
  checkOptions: checkDriveOptions,
  credentials: (grant) => appCredentials(grant) ?? { kind: 'signed-in' },
  // Locked by somebody who edits it, or out of bandwidth.
  judge: (status) => (status === 423 ? 'unavailable' : status === 509 ? 'throttled' : null),
  checkHook: checkDriveHook,
  open: openOneDrive,
});
