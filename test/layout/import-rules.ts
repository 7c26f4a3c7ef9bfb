// The import rules of the house, one small function each. A rule looks at one import and says whether it breaks it.
import type { Edge } from '../../scripts/source/edges.ts';

export interface ImportRule {
  readonly sentence: string;
  readonly broken: (edge: Edge) => boolean;
}

/** A folder ends with a slash and holds everything below it; any other place is one file. */
const within =
  (...places: string[]) =>
  (path: string): boolean =>
    places.some((place) => path === place || (place.endsWith('/') && path.startsWith(place)));

/** The folder directly below `parent` that holds the path: `search/` for a file anywhere in server/domain/search/. */
const familyOf = (path: string, parent: string): string | undefined =>
  path.startsWith(parent) ? /^[^/]+\//.exec(path.slice(parent.length))?.[0] : undefined;

const isSameFamily = (edge: Edge, parent: string): boolean => {
  const family = familyOf(edge.from, parent);
  return family !== undefined && family === familyOf(edge.to, parent);
};

const inTools = within('tools/');
const inServer = within('server/');
const inApp = within('server/app/');
const inCore = within('server/core/');
const inLib = within('server/lib/');
const inDomain = within('server/domain/');
const inAdapters = within('server/adapters/');
const inSdk = within('sdk/');
const inScripts = within('scripts/');
const inTests = within('test/');
const isMain = within('server/main.ts');
const isContext = within('tools/context.ts');
const isShared = within(
  ...['queries/', 'statements/', 'engine/', 'tables/', 'ports/'].map(
    (folder) => `server/adapters/store/${folder}`,
  ),
);
const isDatabase = (path: string): boolean =>
  within('server/adapters/store/sqlite/', 'server/adapters/store/postgres/')(path) ||
  /^(?:node:sqlite|pg)$/.test(path);
const isWayIn = within('server/http/', 'server/mcp/', 'server/cli/');

/** `adapters/embed/port.ts`, `adapters/language-model/ports/summariser.ts`, and everything in `adapters/store/ports/`. */
const isPort = (path: string): boolean =>
  /^server\/adapters\/[^/]+\/(?:(?:[a-z]+-)?port\.ts$|ports\/)/.test(path);

export const importRules: readonly ImportRule[] = [
  {
    sentence: 'what runs in the server takes node:http from lib/node-http.ts',
    broken: ({ from, to, kind }) => inServer(from) && to === 'node:http' && kind === 'runtime',
  },
  {
    sentence: 'main.ts alone imports app/, and app/ imports itself',
    broken: ({ from, to }) =>
      inApp(to) && !inApp(from) && !isMain(from) && !inTests(from) && !inScripts(from),
  },
  {
    sentence: 'main.ts imports the ways in, config/, core/ and app/',
    broken: ({ from, to, ours }) =>
      isMain(from) &&
      ours &&
      !isWayIn(to) &&
      !inApp(to) &&
      !inCore(to) &&
      !within('server/config/', 'tools/agents.generated.ts')(to),
  },
  {
    sentence: 'core/ imports core/, node and zod',
    broken: ({ from, to, ours }) => inCore(from) && !inCore(to) && (ours || !/^(?:node:|zod$)/.test(to)),
  },
  {
    sentence: 'lib/ imports nothing of ours',
    broken: ({ from, to, ours }) => inLib(from) && ours && !inLib(to),
  },
  {
    sentence: 'config/ imports config/, core/ and lib/, and types of adapters',
    broken: ({ from, to, ours, kind }) =>
      within('server/config/')(from) &&
      ours &&
      !within('server/config/')(to) &&
      !inCore(to) &&
      !inLib(to) &&
      !(kind === 'type' && inAdapters(to)),
  },
  {
    sentence: 'calls/ imports tools/, core/ and lib/, and types of domain/',
    broken: ({ from, to, ours, kind }) =>
      within('server/calls/')(from) &&
      ours &&
      !within('server/calls/')(to) &&
      !inTools(to) &&
      !inCore(to) &&
      !inLib(to) &&
      !(kind === 'type' && inDomain(to)),
  },
  {
    sentence: 'tools/ imports zod and tools/',
    broken: ({ from, to }) => inTools(from) && !isContext(from) && to !== 'zod' && !inTools(to),
  },
  {
    sentence: 'tools/context.ts takes types from the server, and nothing that runs',
    broken: ({ from, to, kind }) => isContext(from) && !inTools(to) && !(kind === 'type' && inServer(to)),
  },
  {
    sentence: 'http/, mcp/ and cli/ import tools/, calls/, core/, lib/ and their own folder',
    broken: (edge) =>
      isWayIn(edge.from) &&
      edge.ours &&
      !isSameFamily(edge, 'server/') &&
      !within('tools/', 'server/calls/', 'server/core/', 'server/lib/')(edge.to),
  },
  {
    sentence: 'console/ is a browser app: it imports its own folder and sdk/',
    broken: ({ from, to, ours }) =>
      within('server/console/')(from) && ours && !within('server/console/', 'sdk/')(to),
  },
  {
    sentence:
      'a domain folder imports core/, lib/ and itself, and types of ports, of other domain folders and of tools/',
    broken: (edge) =>
      inDomain(edge.from) &&
      edge.ours &&
      !isSameFamily(edge, 'server/domain/') &&
      !inCore(edge.to) &&
      !inLib(edge.to) &&
      !(edge.kind === 'type' && (isPort(edge.to) || inDomain(edge.to) || inTools(edge.to))),
  },
  {
    sentence: 'an adapter imports core/, lib/ and its own family',
    broken: (edge) =>
      inAdapters(edge.from) &&
      edge.ours &&
      !isSameFamily(edge, 'server/adapters/') &&
      !inCore(edge.to) &&
      !inLib(edge.to),
  },
  {
    sentence: 'the queries of the store, and what they share, import no database',
    broken: ({ from, to }) => isShared(from) && isDatabase(to),
  },
  {
    sentence: 'sdk/ imports nothing of ours',
    broken: ({ from, to, ours }) => inSdk(from) && ours && !inSdk(to),
  },
  {
    sentence: 'nothing imports scripts/ but scripts/ and tests',
    broken: ({ from, to }) => inScripts(to) && !inScripts(from) && !inTests(from),
  },
  {
    sentence: 'nothing that ships imports a test',
    broken: ({ from, to }) => !inTests(from) && !inScripts(from) && inTests(to),
  },
];
