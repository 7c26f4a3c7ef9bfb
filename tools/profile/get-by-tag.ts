// The older, shorter answer for a profile.
import { operation } from '../operation.ts';
import { tagProfileInput, tagProfileOutput } from './schemas/profile.ts';

export const getTagProfile = operation({
  name: 'profile.ofTag',
  summary: 'Read the profile of a container tag',
  description: 'Returns the lasting and the recent facts, as POST /v4/profile does.',
  rest: { method: 'GET', path: '/v3/container-tags/{containerTag}/profile', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: tagProfileInput,
  output: tagProfileOutput,
  tags: ({ containerTag }) => [containerTag],
  run: (service, { containerTag }, caller) => service.profile.ofTag(caller, containerTag),
});
