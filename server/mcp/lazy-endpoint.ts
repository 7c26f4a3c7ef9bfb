// The MCP endpoint over HTTP, loaded on first use: its library takes most of a second to load.
import { whenAtRest } from '../lib/threads/when-at-rest.ts';
import type { McpEndpoint, McpEndpointDeps } from './endpoint.ts';

export interface LazyMcpEndpoint extends McpEndpoint {
  /** Loads the endpoint once the thread rests, so that the first agent need not wait, nor the first import for it. */
  warm(): void;
}

export const createLazyMcpEndpoint = (deps: McpEndpointDeps): LazyMcpEndpoint => {
  let opening: Promise<McpEndpoint> | undefined;
  let forget = (): void => {};
  const open = (): Promise<McpEndpoint> => {
    opening ??= import('./endpoint.ts').then(({ createMcpEndpoint }) => createMcpEndpoint(deps));
    return opening;
  };
  return {
    handle: async (req, res, request) => (await open()).handle(req, res, request),
    warm() {
      const load = () =>
        open().catch((error) => deps.log.error({ err: error }, 'The agent tools could not be loaded.'));
      forget = whenAtRest(() => void load());
    },
    async close() {
      forget();
      await (await opening)?.close();
    },
  };
};
