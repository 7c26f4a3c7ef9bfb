// The import rules of the house, one small function each. A rule looks at one import and says whether it breaks it.
import type { Edge } from './edges.ts';

export interface ImportRule {
  readonly sentence: string;
  readonly broken: (edge: Edge) => boolean;
}

const within =
  (...folders: string[]) =>
  (path: string): boolean =>
    folders.some((folder) => path === folder || (folder.endsWith('/') && path.startsWith(folder)));

/** `server/domain/search/` for a file anywhere below it; undefined outside `parent`. */
const familyOf = (path: string, parent: string): string | undefined =>
  path.startsWith(parent) ? /^[^/]+\//.exec(path.slice(parent.length))?.[0] : undefined;

const sameFamily = (edge: Edge, parent: string): boolean => {
  const family = familyOf(edge.from, parent);
  return family !== undefined && family === familyOf(edge.to, parent);
};

const inTools = within('tools/');
const inDomain = within('server/domain/');
const inAdapters = within('server/adapters/');
const inSdk = within('sdk/');
const isPort = (path: string): boolean => /^server\/adapters\/[^/]+\/([a-z]+-)?port\.ts$/.test(path);
const isRootFile = (path: string): boolean => /^server\/[^/]+\.ts$/.test(path);
const isComposition = within('server/service.ts', 'server/ingest.ts');
const isDoor = within('tools/context.ts');
const isWayIn = within('server/http/', 'server/mcp/', 'server/cli/');

/** Writes the list of operations at build time; no operation imports it. */
const isGenerator = within('tools/generate.ts');

const toolsImportTools: ImportRule = {
  sentence: 'tools/ imports zod and tools/',
  broken: (edge) =>
    inTools(edge.from) &&
    !isDoor(edge.from) &&
    !isGenerator(edge.from) &&
    edge.to !== 'zod' &&
    !inTools(edge.to),
};

const doorTakesTypes: ImportRule = {
  sentence: 'tools/context.ts takes types from the server, and nothing that runs',
  broken: (edge) =>
    isDoor(edge.from) && !inTools(edge.to) && !(edge.kind === 'type' && within('server/')(edge.to)),
};

const waysInStayOutside: ImportRule = {
  sentence:
    'http/, mcp/ and cli/ import tools/, invoke.ts, errors.ts, lib/ and their own folder, and Service as a type',
  broken: (edge) => {
    if (!isWayIn(edge.from) || !edge.ours || sameFamily(edge, 'server/')) return false;
    if (within('tools/', 'server/invoke.ts', 'server/errors.ts', 'server/lib/')(edge.to)) return false;
    return !(edge.kind === 'type' && edge.to === 'server/service.ts');
  },
};

const consoleUsesSdk: ImportRule = {
  sentence: 'console/ is a browser app: it imports its own folder and sdk/',
  broken: (edge) =>
    within('server/console/')(edge.from) && edge.ours && !within('server/console/', 'sdk/')(edge.to),
};

const domainMeetsInService: ImportRule = {
  sentence:
    'a domain folder imports lib/, errors.ts, events.ts and itself, and types of ports, of other domain folders and of tools/shared/',
  broken: (edge) => {
    if (!inDomain(edge.from) || !edge.ours || sameFamily(edge, 'server/domain/')) return false;
    if (within('server/lib/', 'server/errors.ts', 'server/events.ts')(edge.to)) return false;
    return !(
      edge.kind === 'type' &&
      (isPort(edge.to) || inDomain(edge.to) || within('tools/shared/')(edge.to))
    );
  },
};

const adaptersStayAtHome: ImportRule = {
  sentence: 'an adapter imports lib/, errors.ts and its own family, and types of other ports',
  broken: (edge) => {
    if (!inAdapters(edge.from) || !edge.ours || sameFamily(edge, 'server/adapters/')) return false;
    if (within('server/lib/', 'server/errors.ts')(edge.to)) return false;
    return !(edge.kind === 'type' && isPort(edge.to));
  },
};

const compositionAlone: ImportRule = {
  sentence:
    'service.ts and ingest.ts alone build from domain/ and adapters/; files beside them see only types',
  broken: (edge) =>
    isRootFile(edge.from) &&
    !isComposition(edge.from) &&
    edge.kind !== 'type' &&
    (inDomain(edge.to) || inAdapters(edge.to)),
};

const serviceOpenedByMain: ImportRule = {
  sentence: 'main.ts alone opens the service; the command line gets its opener passed in',
  broken: (edge) =>
    edge.kind === 'runtime' &&
    within('server/service.ts', 'server/main.ts')(edge.to) &&
    edge.from !== 'server/main.ts',
};

const ingestIsStarted: ImportRule = {
  sentence: 'ingest.ts is started as a thread, never imported',
  broken: (edge) => edge.kind === 'runtime' && edge.to === 'server/ingest.ts',
};

const libIsBelow: ImportRule = {
  sentence: 'lib/ imports lib/ and errors.ts',
  broken: (edge) =>
    within('server/lib/')(edge.from) && edge.ours && !within('server/lib/', 'server/errors.ts')(edge.to),
};

const sdkStandsAlone: ImportRule = {
  sentence: 'sdk/ imports nothing of ours',
  broken: (edge) => inSdk(edge.from) && edge.ours && !inSdk(edge.to),
};

const sourceWithoutTests: ImportRule = {
  sentence: 'nothing that ships imports a test',
  broken: (edge) => !within('test/')(edge.from) && within('test/')(edge.to),
};

export const importRules: readonly ImportRule[] = [
  toolsImportTools,
  doorTakesTypes,
  waysInStayOutside,
  consoleUsesSdk,
  domainMeetsInService,
  adaptersStayAtHome,
  compositionAlone,
  serviceOpenedByMain,
  ingestIsStarted,
  libIsBelow,
  sdkStandsAlone,
  sourceWithoutTests,
];
