// The way in for agents over HTTP. What it stands on takes most of a second to load, so a start does not wait for it.
import type { McpDoor, McpDoorDeps } from './handler.ts';

export interface LazyMcpDoor extends McpDoor {
  /** Begins to load it, so that the first agent need not wait either. */
  warm(): void;
}

export function createMcpDoor(deps: McpDoorDeps): LazyMcpDoor {
  let opening: Promise<McpDoor> | undefined;
  const open = (): Promise<McpDoor> => {
    opening ??= import('./handler.ts').then(({ createHandler }) => createHandler(deps));
    return opening;
  };
  return {
    handle: async (req, res, request) => (await open()).handle(req, res, request),
    warm() {
      open().catch((error) => deps.log.error({ err: error }, 'The tools for agents could not be loaded.'));
    },
    async close() {
      await (await opening)?.close();
    },
  };
}
