// Adding one piece of content.
import { operation } from '../operation.ts';
import { addedText } from '../shared/added.ts';
import { addTool } from './add.agent.ts';
import { addInput } from './schemas/inputs.ts';
import { acceptedOutput } from './schemas/outputs.ts';

export const addDocument = operation({
  name: 'documents.add',
  summary: 'Add content',
  description:
    'Stores the content and returns at once; processing follows in the background. Poll the document until its status is done or failed. If content is sent again under the same customId, the same document is updated and only the new part is processed. Facts that you state with the content become its memories.',
  rest: { method: 'POST', path: '/v3/documents', status: 200 },
  permission: 'write',
  reaches: 'tags',
  input: addInput,
  output: acceptedOutput,
  mcp: addTool,
  tags: (input) => input.tags,
  adds: ({ content }) => addedText(content),
  errors: [404, 409],
  examples: [
    {
      summary: 'A note about one user',
      input: {
        content: 'Ada prefers tea, and meetings before noon.',
        containerTag: 'user_ada',
        metadata: { kind: 'preference' },
      },
      output: { id: '1BQ8vWzUqTfGZ4kS9xNc7d', status: 'queued' },
    },
    {
      summary: 'A conversation that grows',
      input: {
        content: 'user: Which train do I take?\nassistant: The 8:15 to Lyon.',
        containerTag: 'user_ada',
        customId: 'chat-2026-03-01',
      },
    },
    {
      summary: 'A note with the facts that it states',
      input: {
        content: 'Ada told me that she moves to Rome in May, and that she is away until Friday.',
        containerTag: 'user_ada',
        facts: [
          { content: 'Ada moves to Rome in May 2026', isStatic: true, replaces: '6yP1sYc9VbRk3mWq0TzL4h' },
          { content: 'Ada is away until Friday, 6 March 2026', forgetAfter: '2026-03-07' },
        ],
      },
    },
  ],
  run: (service, input, caller) => service.documents.add(caller, input),
});
