// Redrawing memories: documents that were read before are read again by the present reader.
import { operation } from '../operation.ts';
import { redrawInput } from './schemas/inputs.ts';
import { redrawOutput } from './schemas/outputs.ts';

export const redrawMemories = operation({
  name: 'memories.redraw',
  summary: 'Redraw memories',
  description:
    'Reads documents again for memories, after an upgrade or a change of the reader, and returns at once; see the progress with GET /v4/memories/redraw. Memories that are drawn again stay as they are, others that were only drawn are deleted, and new ones are added. What somebody forgot, edited, judged, stated as a fact or created stays, and is not drawn again from the same text. Searches go on meanwhile, and new documents are read first. With a language model, every document costs tokens again.',
  rest: { method: 'POST', path: '/v4/memories/redraw', status: 202 },
  permission: 'write',
  reaches: 'tags',
  input: redrawInput,
  output: redrawOutput,
  tags: (input) => input.tags,
  examples: [
    { summary: 'Everything', input: {} },
    { summary: 'By container tag', input: { containerTags: ['user_ada'] } },
  ],
  run: (service, input, caller) => service.memories.redraw(caller, input),
});
