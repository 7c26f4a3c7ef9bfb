// What is known of whom a container tag stands for.
import { operation } from '../contract.ts';
import { profileInput, profileOutput } from '../shared/profile.ts';
import { profileTool } from './get.agent.ts';

export const getProfile = operation({
  name: 'profile.get',
  summary: 'Read a profile',
  description:
    'Gives what the memories of a container tag say in short lines for a prompt: what lasts, what is recent, and topics. A tag that is not known has an empty profile. With q the same call searches the memories.',
  rest: { method: 'POST', path: '/v4/profile', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: profileInput,
  output: profileOutput,
  mcp: profileTool,
  tags: ({ tag }) => [tag],
  examples: [
    { summary: 'Everything', input: { containerTag: 'user_ada' } },
    {
      summary: 'For a prompt, with what bears on the question',
      input: { containerTag: 'user_ada', include: ['static', 'dynamic'], q: 'Where shall we have dinner?' },
    },
  ],
  run: (service, input, caller, signal) => service.profile.read(caller, input, signal),
});
