// Gmail: one document for each thread, of all mail or of chosen labels.
import { createGmailApi } from './gmail/gmail-api.ts';
import { lookAtGmail } from './gmail/look.ts';
import { readGmailThread } from './gmail/read.ts';
import { judgeGoogleRefusal } from './google/refusals.ts';
import { checkServiceAccount, serviceAccountCredentials } from './google/service-account.ts';
import { googleSignIn } from './google/sign-in.ts';
import { sourceKind } from './kind.ts';
import type { Grant, OpenSource, Resource, SourceTools } from './port.ts';

const SCOPE = 'https://www.googleapis.com/auth/gmail.readonly';
const TEN_MINUTES_MS = 10 * 60_000;

/** A mailbox belongs to a person, so a service account needs to know whose it reads. */
const checkSubject = ({ metadata, secrets }: Grant): string | null =>
  secrets.serviceAccount === undefined || typeof metadata.subject === 'string'
    ? null
    : 'metadata.subject must name the mailbox that the service account reads, as in ann@example.org. Its administrator grants that by domain-wide delegation.';

const labelsAsResources = async (api: ReturnType<typeof createGmailApi>): Promise<readonly Resource[]> =>
  (await api.labels())
    .filter(({ id }) => !['TRASH', 'SPAM', 'DRAFT', 'UNREAD'].includes(id))
    .map(({ id, name }) => ({ id, name, kind: 'label', hasChildren: false, selectable: true }));

const openGmail = ({ ask }: SourceTools): OpenSource => ({
  async who(signal) {
    const { emailAddress } = await createGmailApi(ask, signal).profile();
    return { account: emailAddress, email: emailAddress };
  },
  look: (stored, choice, signal) => lookAtGmail(createGmailApi(ask, signal), { stored, choice }),
  read: (item, signal) => readGmailThread(ask, item, signal),
  async browse(parent, page, perPage, signal) {
    const all = parent === null ? await labelsAsResources(createGmailApi(ask, signal)) : [];
    const from = (page - 1) * perPage;
    return { resources: all.slice(from, from + perPage), total: all.length };
  },
});

export const gmail = sourceKind({
  provider: 'gmail',
  title: 'Gmail',
  signIn: googleSignIn(SCOPE),
  secrets: ['serviceAccount'],
  options: ['serviceAccount', 'subject'],
  choosing: 'may',
  whole: true,
  folders: false,
  // 6,000 units a minute for a person, of which a thread costs 40: 150 threads a minute.
  pace: { perSecond: 2.5, parallel: 4, lookEveryMs: TEN_MINUTES_MS },
  checkOptions: (grant) => checkServiceAccount(grant) ?? checkSubject(grant),
  credentials: (grant) => serviceAccountCredentials(grant, [SCOPE]) ?? { kind: 'signed-in' },
  judge: (status, _headers, body) => judgeGoogleRefusal(status, body),
  open: (_grant, tools) => openGmail(tools),
});
