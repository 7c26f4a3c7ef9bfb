// Reading the profile of a container tag.
import { operation } from '../operation.ts';
import { profileTool } from './get.agent.ts';
import { profileInput, profileOutput } from './schemas/profile.ts';

export const getProfile = operation({
  name: 'profile.get',
  summary: 'Read a profile',
  description:
    'Returns the memories of a container tag as short lines for a prompt: lasting facts, recent facts and topics. An unknown tag has an empty profile. With q, the call also searches the memories.',
  rest: { method: 'POST', path: '/v4/profile', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: profileInput,
  output: profileOutput,
  mcp: profileTool,
  tags: ({ tag }) => [tag],
  examples: [
    { summary: 'The whole profile', input: { containerTag: 'user_ada' } },
    {
      summary: 'For a prompt, with memories that match the question',
      input: { containerTag: 'user_ada', include: ['static', 'dynamic'], q: 'Where shall we have dinner?' },
    },
  ],
  run: (service, input, caller, signal) => service.profile.read(caller, input, signal),
});
