// Google Drive: files and Google's own documents, of what was chosen or of the whole drive.
import { z } from 'zod';
import { judgeGoogleRefusal } from './google/refusals.ts';
import { checkServiceAccount, serviceAccountCredentials } from './google/service-account.ts';
import { googleSignIn } from './google/sign-in.ts';
import { browseDrive, findInDrive } from './google-drive/browse.ts';
import { checkDelivery, openChannel } from './google-drive/channels.ts';
import { createDriveApi, DRIVE_ADDRESS } from './google-drive/drive-api.ts';
import { lookAtDrive } from './google-drive/look.ts';
import { readDriveFile } from './google-drive/read.ts';
import { sourceKind } from './kind.ts';
import type { Choice, Grant, OpenSource, SourceTools } from './port.ts';

const SCOPE = 'https://www.googleapis.com/auth/drive.readonly';
const TEN_MINUTES_MS = 10 * 60_000;

const about = z.object({ user: z.object({ permissionId: z.string(), emailAddress: z.string().optional() }) });

const isWhole = ({ metadata }: Grant): boolean => metadata.syncScope === 'full';

const checkSyncScope = ({ metadata: { syncScope } }: Grant): string | null =>
  syncScope === undefined || syncScope === 'full' || syncScope === 'selected'
    ? null
    : 'metadata.syncScope must be "selected", for what is chosen in the picker, or "full", for the whole drive.';

const openDrive = (grant: Grant, { ask, now }: SourceTools): OpenSource => ({
  async who(signal) {
    const { user } = await createDriveApi(ask, signal).call(
      '/about',
      { fields: 'user(permissionId,emailAddress)' },
      { shape: about, what: 'the account' },
    );
    const { permissionId: account, emailAddress: email } = user;
    return { account, ...(email === undefined ? {} : { email }) };
  },
  look(stored, choice, signal) {
    const chosen: Choice = isWhole(grant) ? null : (choice ?? []);
    return lookAtDrive(createDriveApi(ask, signal), { stored, chosen, now: now() });
  },
  read: (item, signal) => readDriveFile(ask, item, signal),
  browse: (parent, page, perPage, signal) => browseDrive(createDriveApi(ask, signal), parent, page, perPage),
  find: (words, most, signal) => findInDrive(createDriveApi(ask, signal), words, most),
  async watch(_choice, address, secret, signal) {
    const watch = await openChannel(createDriveApi(ask, signal), { address, secret, now: now() });
    return watch === null ? null : [watch];
  },
  async unwatch({ id, how }, signal) {
    const { resourceId } = (how ?? {}) as { resourceId?: unknown };
    const answer = await ask(
      `${DRIVE_ADDRESS}/channels/stop`,
      {
        ...{ method: 'POST', accept: [404], template: '/channels/stop' },
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id, resourceId }),
      },
      signal,
    );
    answer.discard();
  },
});

export const googleDrive = sourceKind({
  provider: 'google-drive',
  title: 'Google Drive',
  signIn: googleSignIn(SCOPE),
  secrets: ['serviceAccount'],
  options: ['syncScope', 'serviceAccount', 'subject'],
  choosing: 'must',
  whole: true,
  folders: true,
  pace: { perSecond: 100, parallel: 8, lookEveryMs: TEN_MINUTES_MS },
  checkOptions: (grant) => checkSyncScope(grant) ?? checkServiceAccount(grant),
  credentials: (grant) => serviceAccountCredentials(grant, [SCOPE]) ?? { kind: 'signed-in' },
  judge: (status, _headers, body) => judgeGoogleRefusal(status, body),
  checkHook: checkDelivery,
  open: openDrive,
});
