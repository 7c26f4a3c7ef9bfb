// Reading the progress of redrawing memories.
import { operation } from '../operation.ts';
import { redrawStatusInput } from './schemas/inputs.ts';
import { redrawStatusOutput } from './schemas/outputs.ts';

export const redrawStatus = operation({
  name: 'memories.redrawStatus',
  summary: 'Read the progress of a redraw',
  description:
    'Returns how many documents wait to be read again for memories, and what the redraw has changed so far.',
  rest: { method: 'GET', path: '/v4/memories/redraw', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: redrawStatusInput,
  output: redrawStatusOutput,
  tags: (input) => input.tags,
  run: (service, input, caller) => service.memories.redrawStatus(caller, input),
});
