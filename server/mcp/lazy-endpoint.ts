// The MCP endpoint over HTTP, loaded on first use: its library takes most of a second to load.
import type { McpEndpoint, McpEndpointDeps } from './endpoint.ts';

export interface LazyMcpEndpoint extends McpEndpoint {
  /** Loads the endpoint soon, so that the first agent need not wait. */
  warm(): void;
}

/** The first requests after a start come before it: nothing else is answered while it loads. */
const WARM_AFTER_MS = 1000;

export const createLazyMcpEndpoint = (deps: McpEndpointDeps): LazyMcpEndpoint => {
  let opening: Promise<McpEndpoint> | undefined;
  let soon: NodeJS.Timeout | undefined;
  const open = (): Promise<McpEndpoint> => {
    opening ??= import('./endpoint.ts').then(({ createMcpEndpoint }) => createMcpEndpoint(deps));
    return opening;
  };
  return {
    handle: async (req, res, request) => (await open()).handle(req, res, request),
    warm() {
      const load = () =>
        open().catch((error) => deps.log.error({ err: error }, 'The agent tools could not be loaded.'));
      soon = setTimeout(() => void load(), WARM_AFTER_MS).unref();
    },
    async close() {
      clearTimeout(soon);
      await (await opening)?.close();
    },
  };
};
