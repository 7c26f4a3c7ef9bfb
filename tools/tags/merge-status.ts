// Reading the progress of a merge of container tags.
import { operation } from '../operation.ts';
import { mergeReference, mergeState } from './schemas/tags.ts';

export const mergeStatus = operation({
  name: 'containerTags.mergeStatus',
  summary: 'Read the state of a merge',
  rest: { method: 'GET', path: '/v3/container-tags/merge/{mergeId}', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: mergeReference,
  output: mergeState,
  errors: [404],
  run: (service, input, caller) => service.tags.mergeState(caller, input.mergeId),
});
