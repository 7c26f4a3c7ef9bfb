// The older, shorter form of a profile.
import { operation } from '../contract.ts';
import { tagProfileInput, tagProfileOutput } from '../shared/profile.ts';

export const getTagProfile = operation({
  name: 'profile.ofTag',
  summary: 'Read the profile of a container tag',
  description: 'What lasts and what is recent, as POST /v4/profile gives them.',
  rest: { method: 'GET', path: '/v3/container-tags/{containerTag}/profile', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: tagProfileInput,
  output: tagProfileOutput,
  tags: ({ containerTag }) => [containerTag],
  run: (service, { containerTag }, caller) => service.profile.ofTag(caller, containerTag),
});
