// Forgetting several memories at once, by a query or by ids.
import { operation } from '../operation.ts';
import { forgetTool } from './forget-matching.agent.ts';
import { forgetMatchingInput } from './schemas/inputs.ts';
import { forgetMatchingOutput } from './schemas/outputs.ts';

export const forgetMatching = operation({
  name: 'memories.forgetMatching',
  summary: 'Forget matching memories',
  description:
    'Marks memories as forgotten; they stay stored. Takes a query (a topic or an instruction) or ids. Ids that are unknown, or under other container tags, are ignored. A dry run returns the memories that would be forgotten.',
  rest: { method: 'POST', path: '/v4/memories/forget-matching', status: 200 },
  permission: 'write',
  reaches: 'tags',
  audits: 'memory.forget',
  input: forgetMatchingInput,
  output: forgetMatchingOutput,
  mcp: forgetTool,
  tags: (input) => input.tags,
  examples: [
    {
      summary: 'A dry run for a project',
      input: { containerTag: 'user_ada', query: 'forget everything about Project Titan', dryRun: true },
    },
  ],
  run: (service, input, caller, signal) => service.memories.forgetMatching(caller, input, signal),
});
