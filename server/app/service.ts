// Builds the service for operations: connects the parts of the domain with the adapters.
import type { BlobStore } from '../adapters/blobs/port.ts';
import { createLocalServers } from '../adapters/local-servers/local-servers.ts';
import { createSmtpTransport } from '../adapters/mail/smtp.ts';
import { createModelLibrary } from '../adapters/models/library.ts';
import { createOidc } from '../adapters/sign-in/oidc.ts';
import type { OpenedStore } from '../adapters/store/request-side/store.ts';
import type { Chroma } from '../adapters/vectors/chroma/open-chroma.ts';
import type { Service } from '../calls/service.ts';
import type { Config } from '../config/config.ts';
import { DEFAULT_TAG } from '../core/default-tag.ts';
import type { Principal } from '../core/principal.ts';
import { type Access, createAccess } from '../domain/access/access.ts';
import { markSlowedKeys } from '../domain/access/slowed-keys.ts';
import { type Audit, createAudit } from '../domain/audit/audit.ts';
import { createConnections } from '../domain/connections/connections.ts';
import { createHookReceiver } from '../domain/connections/hooks/receive-hook.ts';
import { createPickerTickets } from '../domain/connections/sign-in/picker-tickets.ts';
import { createSignIns } from '../domain/connections/sign-in/sign-ins.ts';
import type { ConnectionSources } from '../domain/connections/sources.ts';
import { createDocuments, type Documents } from '../domain/documents/documents.ts';
import { createFiles, type Files } from '../domain/documents/originals/files.ts';
import { recogniseKind } from '../domain/ingestion/content/recognise-kind.ts';
import { createMemories, type Memories } from '../domain/memories/memories.ts';
import { statementSpaces } from '../domain/memories/prepare-statements.ts';
import { recordServed } from '../domain/memories/record-served.ts';
import { subjectIn } from '../domain/memories/rules/statement-readings.ts';
import { createModels, type Models, type ModelsDeps } from '../domain/models/models.ts';
import { createProfile, type Profile } from '../domain/profile/profile.ts';
import { createSearch, type Search, type SearchDeps } from '../domain/search/search.ts';
import { createSecrets, type Secrets } from '../domain/settings/rotate-secrets.ts';
import { createSettings, type OrganisationSettings } from '../domain/settings/settings.ts';
import type { Spaces } from '../domain/spaces/spaces.ts';
import { createStorage } from '../domain/storage/storage.ts';
import { createProjects } from '../domain/tags/projects.ts';
import { createTags, type Tags } from '../domain/tags/tags.ts';
import { createMailOffice, type MailOffice } from '../domain/team/mail/office.ts';
import { createTeam, type Team } from '../domain/team/team.ts';
import type { QuotasDeps } from '../domain/usage/quotas.ts';
import { createUsage, type Usage } from '../domain/usage/usage.ts';
import { withRetries } from '../lib/async/retry.ts';
import { newId } from '../lib/ids.ts';
import { callbackAddress, isOwnResource } from '../lib/own-address.ts';
import { publicHookBase } from './connections/hook-base.ts';
import { PURPOSES, type SecretKeys } from './data-folder/secret-key.ts';
import { type OpenedDatabase, signalsOf } from './database/database.ts';
import { createHealth } from './health.ts';
import type { IngestState } from './ingest-thread/commands.ts';
import type { IngestThread } from './ingest-thread/handle.ts';
import type { LanguageModels } from './language-models.ts';
import type { Log } from './log.ts';
import { tellServedAnswers } from './served-answers.ts';
import type { SharedChoices } from './shared-choices.ts';
import type { StoreWatch } from './store-watch.ts';
import { READING_RETRIES } from './writer-thread/ingest-link.ts';

export interface ServiceParts {
  config: Config;
  store: OpenedStore;
  database: Omit<OpenedDatabase, 'openStore'>;
  thread: IngestThread;
  /** The state of the background work of all processes. */
  state: () => Promise<IngestState>;
  chroma: Chroma;
  spaces: Spaces;
  orgId: string;
  localToken: string;
  draining: () => boolean;
  blobs: BlobStore;
  /** The start of the address of links. */
  base: () => string;
  searching: Pick<SearchDeps, 'limits' | 'reranker'>;
  languageModels: LanguageModels;
  /** Another language model was chosen. */
  reloadLanguageModel: () => Promise<void>;
  choices: SharedChoices;
  secretKeys: SecretKeys;
  log: Log;
  watch: StoreWatch;
  sources: () => Promise<ConnectionSources>;
}

const openMemories = ({ store, spaces, orgId, thread }: ServiceParts, search: Search): Memories =>
  createMemories({
    store: store.memories,
    orgId,
    newId,
    spaces: () => statementSpaces(spaces.active()),
    async subjectsOf(statements) {
      const read = () => thread.call('readStatements', statements);
      return (await withRetries(read, READING_RETRIES, () => ({}))).map(subjectIn);
    },
    search: search.findMemories,
  });

const openSettings = ({ store, orgId, secretKeys }: ServiceParts): OrganisationSettings =>
  createSettings({
    store: store.settings,
    tags: store.tags,
    orgId,
    defaultTag: DEFAULT_TAG,
    sealKeys: secretKeys.sealing('secrets in the settings'),
  });

const openSecrets = ({ store, secretKeys }: ServiceParts): Secrets =>
  createSecrets({
    stored: store,
    keysOf: (of) => secretKeys.sealing(PURPOSES[of])(),
    changeKey: secretKeys.change,
  });

const openFiles = (
  { store, blobs, base, secretKeys, database }: ServiceParts,
  { find }: Documents,
  { asker }: Access,
): Files =>
  createFiles({
    documents: store.documents,
    files: store.files,
    find,
    asker,
    blobs,
    base,
    secret: secretKeys.derived('links to files'),
    now: database.now,
  });

const openSearch = ({
  store,
  database,
  chroma,
  spaces,
  searching,
  languageModels,
  log,
}: ServiceParts): Search =>
  createSearch({
    store: store.search,
    memories: store.memories,
    recall: store.recall,
    index: chroma.index,
    elsewhere: database.searchElsewhere,
    isIndexComplete: chroma.holds,
    space: spaces.active,
    now: database.now,
    ...searching,
    model: languageModels.searchModel,
    warn: (message, cause) => log.warn({ err: cause }, message),
  });

/** The address of the reranker stays out of answers: it may lie in a private network. */
const settledModels = ({ embeddingModel, reading, reranking }: Config): ModelsDeps['settings'] => ({
  embedding: embeddingModel === null ? null : `MEMOIR_EMBEDDING_MODEL is ${JSON.stringify(embeddingModel)}`,
  chat: reading === null ? null : `OPENAI_MODEL is ${JSON.stringify(reading.model)}`,
  reranking: reranking === null ? null : 'MEMOIR_RERANK_URL is set',
});

const openModels = ({ config, spaces, reloadLanguageModel, choices, log }: ServiceParts): Models =>
  createModels({
    library: createModelLibrary({
      folder: config.local.folder,
      hub: config.modelHub,
      languageHub: config.languageHub,
    }),
    servers: createLocalServers(config.localServers),
    spaces,
    settings: settledModels(config),
    reloadLanguageModel,
    choices,
    log,
  });

const openProfile = (
  { store, database, languageModels, log }: ServiceParts,
  search: Search,
  settings: OrganisationSettings,
): Profile =>
  createProfile({
    recall: store.recall,
    search,
    buckets: settings.buckets,
    summariser: languageModels.summariser,
    spent: store.usage.add,
    now: database.now,
    log,
  });

const openUsage = (
  { config, store, database, log }: ServiceParts,
  checkMayLimit: QuotasDeps['checkMayLimit'],
): Usage =>
  createUsage({
    store: { ...store.analytics, ...store.counting },
    quotas: store.quotas,
    checkMayLimit,
    documents: async () => (await store.counts()).documents,
    keyNames: async () => new Map((await store.keys.list()).map(({ id, name }) => [id, name])),
    shared: config.database !== null,
    requestLog: config.requestLog,
    now: database.now,
    log,
  });

const openHealth = ({ store, database, chroma, spaces, config, ...parts }: ServiceParts, mail: MailOffice) =>
  createHealth({
    counts: store.counts,
    place: database.place,
    database: database.health,
    watch: parts.watch,
    originals: parts.blobs.trouble,
    written: () => database.writer.call('written'),
    ingest: parts.state,
    ...{ company: database.company, role: config.role },
    space: spaces.status,
    mail: mail.health,
    waitingConnections: store.waitingConnections,
    chroma: chroma.state,
    draining: parts.draining,
  });

const openStorage = ({ config: { role }, database, thread }: ServiceParts) =>
  createStorage({
    async space() {
      const space = await thread.call('space');
      if (space !== null) return { ...space, elsewhere: false };
      if (role !== 'api') return null;
      // The workers of other processes compact, and only they know how far they are.
      return {
        bytes: await database.bytes(),
        freeBytes: 0,
        compacting: null,
        trouble: null,
        elsewhere: true,
      };
    },
    compact() {
      signalsOf(database).tell('compact');
      return thread.call('compact');
    },
  });

const openAudit = ({ store, config, log }: ServiceParts): Audit =>
  createAudit({
    store: { ...store.audit, ...store.auditing },
    requestLog: config.requestLog,
    days: config.auditDays,
    now: Date.now,
    log,
  });

const openMailOffice = ({ config, store, base, database, log }: ServiceParts): MailOffice =>
  createMailOffice({
    ...{ keys: store.keys, members: store.team.members, mails: store.mails },
    transport: config.smtp === null ? null : createSmtpTransport(config.smtp),
    ...{ mailTo: config.mailTo, timezone: config.timezone, base, now: database.now, log },
  });

const openTeam = (
  { config, store, base, database, log }: ServiceParts,
  access: Access,
  outbox: MailOffice,
): Team =>
  createTeam({
    ...{ store: store.team, access, outbox, base, now: database.now, log },
    signsInWithoutKey: config.smtp !== null || config.oidc !== null,
    provider: config.oidc === null ? null : { identities: createOidc(config.oidc), ...config.oidc },
  });

/** Quotas are for whoever manages the organisation, and an admin limits no owner. */
const mayLimit = async (
  { access, team }: Pick<Service, 'access' | 'team'>,
  caller: Principal,
  { of, id }: { of: 'key' | 'member' | 'tag'; id: string },
): Promise<void> => {
  access.checkRight(caller, { permission: 'write', reaches: 'organisation' });
  if (of === 'key') await access.checkMayChange(id, caller);
  if (of === 'member') await team.members.checkMayChange(id, caller);
};

/** A change of a key may bring quotas; those of a rotated key hold for the new one at once. */
const keysWithQuotas = (access: Access, { quotas }: Usage): Pick<Access, 'updateKey' | 'rotateKey'> => ({
  updateKey(change, caller) {
    const work = () => access.updateKey(change, caller);
    if (change.quotas === undefined) return work();
    return quotas.along(caller, { of: 'key', id: change.id, quotas: change.quotas }, work);
  },
  async rotateKey(rotation, caller) {
    const rotated = await access.rotateKey(rotation, caller);
    quotas.forget();
    return rotated;
  },
});

const tagsWithQuotas = (tags: Tags, { quotas }: Usage): Tags => ({
  ...tags,
  update(caller, change) {
    const work = () => tags.update(caller, change);
    if (change.quotas === undefined) return work();
    return quotas.along(caller, { of: 'tag', id: change.containerTag, quotas: change.quotas }, work);
  },
});

const openConnectionParts = (
  { store, database, base, sources, config }: ServiceParts,
  settings: OrganisationSettings,
): Pick<Service, 'connections' | 'signIn'> => {
  const { now } = database;
  const { read } = store.settings;
  const signIns = createSignIns({
    ...{ store: store.signIns, sources, now },
    apps: { read, secret: settings.secret, defaults: config.connectionApps },
    redirectAddress: (provider) => callbackAddress(base(), provider),
  });
  const tickets = createPickerTickets(store.grants.tokens, now);
  const connections = createConnections({
    ...{ newId, now, store: store.connections, documents: store.documents },
    ...{ sources, signIns, tickets, base, hooks: store.hooks },
    hookBase: publicHookBase(config.baseUrl),
  });
  return { connections, signIn: { tickets, finish: signIns.finish } };
};

export const buildService = (parts: ServiceParts): Service => {
  const { store, database, spaces, orgId, log, blobs, config } = parts;
  const { now } = database;
  const search = openSearch(parts);
  const memories = openMemories(parts, search);
  const settings = openSettings(parts);
  const usage = openUsage(parts, (caller, holder) => mayLimit({ access, team }, caller, holder));
  const tags = tagsWithQuotas(createTags({ store: store.tags, newId }), usage);
  const served = tellServedAnswers(parts);
  const documents = createDocuments({
    ...{ store: served.store, blobs, newId, recogniseKind },
    memoriesOf: memories.ofDocuments,
    similarTo: memories.similarTo,
    warn: (message, cause) => log.warn({ err: cause }, message),
  });
  const profile = openProfile(parts, search, settings);
  const audit = openAudit(parts);
  const access = createAccess({
    ...{ store, orgId, now, log, localToken: parts.localToken },
    ...{ signals: signalsOf(database), counts: database.counts ?? undefined },
    isOwnResource: (resource) => isOwnResource(config.baseUrl ?? '', resource),
    signInRefused: audit.signInRefused,
  });
  const mail = openMailOffice(parts);
  const team = openTeam(parts, access, mail);
  return {
    orgId,
    documents,
    files: openFiles(parts, documents, access),
    memories,
    ...recordServed({ search, profile }, { tell: served.tell, defaultTag: DEFAULT_TAG }),
    access: {
      ...access,
      ...markSlowedKeys(access, async () => (await parts.state()).slowedKeys),
      ...keysWithQuotas(access, usage),
    },
    spaces,
    models: openModels(parts),
    storage: openStorage(parts),
    tags,
    projects: createProjects(tags),
    ...openConnectionParts(parts, settings),
    audit,
    hooks: createHookReceiver({
      ...{ store: store.hooks, sources: parts.sources, admit: access.admitHook, now },
    }),
    usage,
    team,
    settings,
    secrets: openSecrets(parts),
    health: openHealth(parts, mail),
  };
};
