// The MCP endpoint over HTTP, loaded on first use: its library takes most of a second to load.
import type { McpEndpoint, McpEndpointDeps } from './endpoint.ts';

export interface LazyMcpEndpoint extends McpEndpoint {
  /** Starts to load the endpoint, so that the first agent need not wait. */
  warm(): void;
}

export const createLazyMcpEndpoint = (deps: McpEndpointDeps): LazyMcpEndpoint => {
  let opening: Promise<McpEndpoint> | undefined;
  const open = (): Promise<McpEndpoint> => {
    opening ??= import('./endpoint.ts').then(({ createMcpEndpoint }) => createMcpEndpoint(deps));
    return opening;
  };
  return {
    handle: async (req, res, request) => (await open()).handle(req, res, request),
    warm() {
      open().catch((error) => deps.log.error({ err: error }, 'The agent tools could not be loaded.'));
    },
    async close() {
      await (await opening)?.close();
    },
  };
};
