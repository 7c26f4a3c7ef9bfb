// A server of the Model Context Protocol for one caller: its tools, resources and prompt.
import { McpServer, type McpServerOptions, type ServerNotifier } from '@modelcontextprotocol/server';
import { registerResources } from './resources.ts';
import { registerTools, type ToolDeps } from './tools.ts';

/** Additions to every server, used by the conformance tests. */
export interface McpExtension {
  options: Pick<McpServerOptions, 'capabilities' | 'requestState'>;
  register(server: McpServer, notify: ServerNotifier): void;
}

export interface McpDeps extends ToolDeps {
  version: string;
  extension?: { extension: McpExtension; notify: ServerNotifier } | undefined;
}

/** Not every host shows this to the model, so nothing depends on it. */
const INSTRUCTIONS =
  'Long-term memory across conversations. Call profile at the start, search before an answer that may depend on earlier conversations, add when the user says something worth keeping.';

/** Lists differ for each key, so a shared cache must not store them. */
const LISTS = { ttlMs: 300_000, cacheScope: 'private' } as const;
const CONTENTS = { ttlMs: 0, cacheScope: 'private' } as const;

export const createMcpServer = ({ version, extension, ...deps }: McpDeps): McpServer => {
  const server = new McpServer(
    { name: 'memory', title: 'Memoir', version },
    {
      ...extension?.extension.options,
      instructions: INSTRUCTIONS,
      cacheHints: {
        'tools/list': LISTS,
        'prompts/list': LISTS,
        'resources/templates/list': LISTS,
        'resources/list': CONTENTS,
        'resources/read': CONTENTS,
      },
    },
  );
  registerTools(server, deps);
  registerResources(server, deps);
  extension?.extension.register(server, extension.notify);
  return server;
};
