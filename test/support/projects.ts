// The test files that run in a process of their own or start a server of their own, with the reason.
import { globSync, readFileSync } from 'node:fs';

const CHILDREN = 'It starts processes, and counts them, ends them or waits for their end.';
const GLOBALS = 'It replaces timers, variables or methods that belong to the whole process.';
const MEMORY = 'It measures the memory or the threads of its process.';
const SOURCES = 'It starts stand-ins of outside services and several servers that use them.';

/** Every other file shares its process with the files that run before and after it. */
export const ownProcess: Readonly<Record<string, string>> = {
  'test/adapters/blobs/durable.test.ts': GLOBALS,
  'test/adapters/extract/extractor.test.ts': CHILDREN,
  'test/adapters/extract/reader.test.ts': CHILDREN,
  'test/adapters/extract/samples.test.ts': CHILDREN,
  'test/adapters/transcribe/recogniser.test.ts': CHILDREN,
  'test/adapters/transcribe/transcriber.test.ts': CHILDREN,
  'test/adapters/extract/ocr/languages.test.ts': GLOBALS,
  'test/adapters/extract/process/stopwatch.test.ts': GLOBALS,
  'test/adapters/fetch/private-networks.test.ts': GLOBALS,
  'test/adapters/vectors/chroma/vector-index.test.ts': CHILDREN,
  'test/adapters/vectors/chroma/supervisor.test.ts': CHILDREN,
  'test/app/data-folder.test.ts': CHILDREN,
  'test/app/start.test.ts': CHILDREN,
  'test/bin.test.ts': CHILDREN,
  'test/cli/commands.test.ts': CHILDREN,
  'test/cli/connections.test.ts': CHILDREN,
  'test/cli/files.test.ts': CHILDREN,
  'test/cli/folder.test.ts': CHILDREN,
  'test/cli/mcp-install.test.ts': CHILDREN,
  'test/cli/models.test.ts': CHILDREN,
  'test/cli/server-models.test.ts': CHILDREN,
  'test/cli/serve.test.ts': CHILDREN,
  'test/cli/usage.test.ts': CHILDREN,
  'test/crash.test.ts': CHILDREN,
  'test/crash-mails.test.ts': CHILDREN,
  'test/docs/readme.test.ts': CHILDREN,
  'test/domain/access/access-keys.test.ts': GLOBALS,
  'test/lib/threads/lower-priority.test.ts': MEMORY,
  'test/lib/threads/return-memory.test.ts': MEMORY,
  'test/mcp/folder.test.ts': CHILDREN,
  'test/package.test.ts': CHILDREN,
  'test/rest/connected-services.test.ts': SOURCES,
  'test/client/supermemory-connections.test.ts': SOURCES,
  'test/connections.test.ts': CHILDREN,
  'test/rest/connection-foreign.test.ts': SOURCES,
  'test/rest/connection-google.test.ts': SOURCES,
  'test/rest/connection-hooks.test.ts': SOURCES,
  'test/rest/connection-sign-in.test.ts': SOURCES,
  'test/rest/connections.test.ts': SOURCES,
  'test/retrieval.test.ts': MEMORY,
  'test/sdk/package.test.ts': CHILDREN,
  'test/sdk/request.test.ts': GLOBALS,
  'test/service/chroma.test.ts': CHILDREN,
  'test/service/full-disk.test.ts': CHILDREN,
  'test/service/postgres/driver.test.ts': CHILDREN,
  'test/service/postgres/skew.test.ts': CHILDREN,
  'test/service/start-stop.test.ts': CHILDREN,
  'test/service/traces.test.ts': CHILDREN,
  'test/tour/old-folders.test.ts': CHILDREN,
  'test/tour/tour.test.ts': CHILDREN,
};

const SETTINGS = 'Its server has settings, limits or stand-ins of its own.';
const RESTARTS = 'It stops its server and starts it again.';
const EVERYTHING = 'It counts or looks through everything that is stored, or acts on all of it.';
const ORGANISATION = 'It changes settings, keys or limits that hold for the whole organisation.';
const ATTEMPTS = 'It uses up the attempts with wrong keys that an address has.';
const COMPARED = 'It compares two servers.';

/** Every other file that needs a server takes the one of its worker: `useServer`, `useMemoir`. */
export const ownServer: Readonly<Record<string, string>> = {
  'test/cli/doctor/mail.test.ts': 'a mail server, which fails',
  'test/cli/doctor/probe.test.ts': EVERYTHING,
  'test/cli/import.test.ts': COMPARED,
  'test/client/cli.test.ts': EVERYTHING,
  'test/client/cli-team.test.ts': ORGANISATION,
  'test/client/programs.test.ts': ORGANISATION,
  'test/client/namespaces.test.ts': ORGANISATION,
  'test/client/python.test.ts': ORGANISATION,
  'test/concurrency.test.ts': EVERYTHING,
  'test/contract/contract.test.ts': ORGANISATION,
  'test/http/console/browser.test.ts': SETTINGS,
  'test/http/console/oidc.test.ts': SETTINGS,

  'test/http/oauth/browser.test.ts': EVERYTHING,
  'test/http/oauth/plugins.test.ts': ATTEMPTS,
  'test/http/oauth/tokens.test.ts': RESTARTS,
  'test/isolation/isolation.test.ts': SETTINGS,
  'test/mcp/conformance/conformance.test.ts': SETTINGS,
  'test/mcp/http.test.ts': SETTINGS,
  'test/mcp/tools.test.ts': SETTINGS,
  'test/memories/service.test.ts': ORGANISATION,
  'test/rest/addresses.test.ts': SETTINGS,
  'test/rest/analytics.test.ts': EVERYTHING,
  'test/rest/audit.test.ts': EVERYTHING,
  'test/rest/metrics.test.ts': SETTINGS,
  'test/rest/bucket-originals.test.ts': SETTINGS,
  'test/rest/categories.test.ts': SETTINGS,
  'test/rest/chunk-size.test.ts': ORGANISATION,
  'test/rest/connected-services.test.ts': SETTINGS,
  'test/rest/connections.test.ts': SETTINGS,
  'test/client/supermemory-connections.test.ts': SETTINGS,
  'test/rest/connection-foreign.test.ts': SETTINGS,
  'test/rest/connection-google.test.ts': SETTINGS,
  'test/rest/connection-hooks.test.ts': SETTINGS,
  'test/rest/connection-sign-in.test.ts': SETTINGS,
  'test/rest/container-tags.test.ts': EVERYTHING,
  'test/rest/projects.test.ts': EVERYTHING,
  'test/rest/team.test.ts': ORGANISATION,
  'test/rest/documents-change.test.ts': SETTINGS,
  'test/rest/documents-delete.test.ts': EVERYTHING,
  'test/rest/documents-written-outline.test.ts': SETTINGS,
  'test/rest/dreaming.test.ts': SETTINGS,
  'test/rest/errors.test.ts': SETTINGS,
  'test/rest/filter-by-metadata.test.ts': SETTINGS,
  'test/rest/keys-secret.test.ts': RESTARTS,
  'test/rest/keys-use.test.ts': ORGANISATION,
  'test/rest/memories-embedder.test.ts': SETTINGS,
  'test/rest/merge.test.ts': RESTARTS,
  'test/rest/server-models.test.ts': RESTARTS,
  'test/rest/models.test.ts': SETTINGS,
  'test/rest/no-content.test.ts': SETTINGS,
  'test/rest/original.test.ts': EVERYTHING,
  'test/rest/processing.test.ts': SETTINGS,
  'test/rest/profile-summary.test.ts': SETTINGS,
  'test/rest/profile.test.ts': ORGANISATION,
  'test/rest/query-deadline.test.ts': SETTINGS,
  'test/rest/rates.test.ts': ORGANISATION,
  'test/rest/recall-loop.test.ts': SETTINGS,
  'test/rest/recordings.test.ts': SETTINGS,
  'test/rest/reranker-models.test.ts': SETTINGS,
  'test/rest/resend-states.test.ts': SETTINGS,
  'test/rest/resend.test.ts': SETTINGS,
  'test/rest/search-fresh.test.ts': SETTINGS,
  'test/rest/search-narrow.test.ts': EVERYTHING,
  'test/rest/search-options.test.ts': SETTINGS,
  'test/rest/redraw.test.ts': ORGANISATION,
  'test/rest/settings.test.ts': ORGANISATION,
  'test/rest/upload-limits.test.ts': EVERYTHING,
  'test/rest/usage.test.ts': SETTINGS,
  'test/service/chroma.test.ts': RESTARTS,
  'test/service/close.test.ts': RESTARTS,
  'test/service/embedder.test.ts': SETTINGS,
  'test/service/erased.test.ts': EVERYTHING,
  'test/service/postgres/away.test.ts': SETTINGS,
  'test/service/postgres/models.test.ts': SETTINGS,
  'test/service/postgres/processes.test.ts': SETTINGS,
  'test/service/postgres/round-robin.test.ts': SETTINGS,
  'test/service/postgres/races.test.ts': SETTINGS,
  'test/service/postgres/serve.test.ts': RESTARTS,
  'test/service/postgres/silent.test.ts': SETTINGS,
  'test/service/postgres/migrate-store.test.ts': RESTARTS,
  'test/service/postgres/failover.test.ts': SETTINGS,
  'test/service/postgres/tls.test.ts': SETTINGS,
  'test/service/shards.test.ts': SETTINGS,
  'test/service/small-containers.test.ts': SETTINGS,
  'test/service/spaces.test.ts': SETTINGS,
  'test/service/wide.test.ts': SETTINGS,
};

export const testFiles = (): string[] =>
  globSync('test/**/*.test.ts').filter((path) => !/^test\/(bench|crash)\//.test(path));

const starts = /\b(startMemoir|useOwnMemoir|useGoogle|useSyncedBucket)\(/;
const shares = /\b(useServer|useMemoir)\(/;

export const startsServer = (path: string): boolean => starts.test(readFileSync(path, 'utf8'));
export const usesServer = (path: string): boolean =>
  startsServer(path) || shares.test(readFileSync(path, 'utf8'));
