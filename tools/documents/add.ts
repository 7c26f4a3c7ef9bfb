// Adding one piece of content.
import { operation } from '../contract.ts';
import { acceptedOutput } from '../shared/document-outputs.ts';
import { addInput } from '../shared/documents.ts';
import { addTool } from './add.agent.ts';

export const addDocument = operation({
  name: 'documents.add',
  summary: 'Add content',
  description:
    'Stores the content and answers at once; it is processed afterwards. Poll the document until its status is done or failed. Content sent again under the same customId updates the same document: only what is new is processed.',
  rest: { method: 'POST', path: '/v3/documents', status: 200 },
  permission: 'write',
  reaches: 'tags',
  input: addInput,
  output: acceptedOutput,
  mcp: addTool,
  tags: (input) => input.tags,
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
  ],
  run: (service, input, caller) => service.documents.add(caller, input),
});
