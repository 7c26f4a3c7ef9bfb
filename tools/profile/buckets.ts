// Which topics the profile of a container tag has.
import { operation } from '../contract.ts';
import { bucketDefinitions, bucketsInput } from '../shared/profile.ts';

export const listProfileBuckets = operation({
  name: 'profile.buckets',
  summary: 'List profile buckets',
  description: "The organisation's buckets and those that the container tag adds.",
  rest: { method: 'POST', path: '/v4/profile/buckets', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: bucketsInput,
  output: bucketDefinitions,
  tags: ({ tag }) => [tag],
  run: (service, { tag }, caller) => service.profile.buckets(caller, tag),
});
