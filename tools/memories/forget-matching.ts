// Forgetting several memories at once: what a query finds, or exactly these.
import { operation } from '../contract.ts';
import { forgetMatchingInput } from '../shared/memories.ts';
import { forgetMatchingOutput } from '../shared/memory-outputs.ts';
import { forgetTool } from './forget-matching.agent.ts';

export const forgetMatching = operation({
  name: 'memories.forgetMatching',
  summary: 'Forget matching memories',
  description:
    'Soft, like forgetting one. Takes a query (a topic or an instruction) or ids; ids that are unknown or elsewhere are left out without a word. A dry run shows what would be forgotten.',
  rest: { method: 'POST', path: '/v4/memories/forget-matching', status: 200 },
  permission: 'write',
  reaches: 'tags',
  input: forgetMatchingInput,
  output: forgetMatchingOutput,
  mcp: forgetTool,
  tags: (input) => input.tags,
  examples: [
    {
      summary: 'What would be forgotten about a project',
      input: { containerTag: 'user_ada', query: 'forget everything about Project Titan', dryRun: true },
    },
  ],
  run: (service, input, caller, signal) => service.memories.forgetMatching(caller, input, signal),
});
