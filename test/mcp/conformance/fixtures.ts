// The tools, resources and prompts that the conformance suite calls, behind the same key, host and limits as Memoir's own.
import type { McpExtension } from '../../../server/mcp/server.ts';
import { registerPrompts, registerResources, registerTools } from './contents.ts';
import { registerRounds, stateCodec } from './rounds.ts';

export const fixtures: McpExtension = {
  options: {
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      logging: {},
      completions: {},
    },
    requestState: { verify: stateCodec.verify },
  },
  register(server, notify) {
    registerTools(server);
    registerResources(server);
    registerPrompts(server);
    registerRounds(server, notify);
  },
};
