// Creating a key for an agent or a plugin, with or without container tags.
import { operation } from '../operation.ts';
import { agentKeyOutput, createAgentKeyInput } from './schemas/keys.ts';

export const createAgentKey = operation({
  name: 'keys.createAgent',
  summary: 'Create an agent key',
  description:
    'Creates a key that may read, or read and write, in the given container tags; without tags, in all. The key is shown only this once. It never exceeds the key that made it in tags, permission, rate or time, and ends with it.',
  rest: { method: 'POST', path: '/v3/auth/agent-key', status: 200 },
  permission: 'write',
  reaches: 'account',
  audits: 'key.create',
  input: createAgentKeyInput,
  output: agentKeyOutput,
  examples: [
    {
      summary: 'A reader of two container tags',
      input: { name: 'reporting', permission: 'read', containerTags: ['office', 'user_ada'] },
    },
  ],
  run: (service, input, caller) => service.access.createAgentKey(input, caller),
});
