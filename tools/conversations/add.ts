// Adding a whole conversation, or only its new messages.
import { operation } from '../operation.ts';
import { addedText } from '../shared/added.ts';
import { conversationInput, conversationOutput } from './schemas/conversations.ts';

export const addConversation = operation({
  name: 'conversations.add',
  summary: 'Add a conversation',
  description:
    'Stores the messages as one document, with the conversationId as its customId. The result is the same as adding the conversation as text. Send the whole history each time, or only the new messages: the server compares message by message and processes only the new ones. Names, roles and dates are kept; images and tool calls are replaced by a short note. To store each message as its own document, use conversationIds such as thread-7:1 and thread-7:2, or the same threadId in the metadata; search then treats the documents as one thread.',
  rest: { method: 'POST', path: '/v4/conversations', status: 200 },
  permission: 'write',
  reaches: 'tags',
  input: conversationInput,
  output: conversationOutput,
  tags: (input) => input.document.tags,
  adds: ({ document }) => addedText(document.content),
  errors: [404, 409],
  examples: [
    {
      summary: 'Two messages, one with an image',
      input: {
        conversationId: 'chat-2026-03-01',
        containerTags: ['user_ada'],
        messages: [
          {
            role: 'user',
            name: 'Ada',
            content: [
              { type: 'text', text: 'Which train is this?' },
              { type: 'image_url', imageUrl: { url: 'https://example.com/board.png' } },
            ],
            createdAt: '2026-03-01T09:30:00Z',
          },
          { role: 'assistant', content: 'The 8:15 to Lyon.' },
        ],
      },
      output: { id: '1BQ8vWzUqTfGZ4kS9xNc7d', conversationId: 'chat-2026-03-01', status: 'queued' },
    },
  ],
  async run(service, input, caller) {
    const { id, ...answer } = await service.documents.add(caller, input.document);
    return { id, conversationId: input.conversationId, ...answer };
  },
});
