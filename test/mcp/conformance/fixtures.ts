// Everything that the conformance suite calls, beside the tools of Memoir and behind the same key, host and limits.
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
