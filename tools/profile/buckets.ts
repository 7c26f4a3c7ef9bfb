// Listing the buckets of a profile.
import { operation } from '../operation.ts';
import { bucketDefinitions, bucketsInput } from './schemas/profile.ts';

export const listProfileBuckets = operation({
  name: 'profile.buckets',
  summary: 'List profile buckets',
  description: 'Returns the buckets of the organisation and the additional buckets of the container tag.',
  rest: { method: 'POST', path: '/v4/profile/buckets', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: bucketsInput,
  output: bucketDefinitions,
  tags: ({ tag }) => [tag],
  run: (service, { tag }, caller) => service.profile.buckets(caller, tag),
});
