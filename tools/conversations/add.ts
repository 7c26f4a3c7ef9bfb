// Adding a conversation message by message, or what is new in it.
import { operation } from '../contract.ts';
import { conversationInput, conversationOutput } from '../shared/conversations.ts';

export const addConversation = operation({
  name: 'conversations.add',
  summary: 'Add a conversation',
  description:
    'Stores the messages as one document whose customId is the conversationId, exactly as if they had been added as text. Send the growing history each time or only the new messages: they are compared message by message and only what is new is processed. Names, roles and dates are kept; images and tool calls leave a short mark. Where every message is to be a document of its own, conversationIds like thread-7:1 and thread-7:2, or the same threadId in the metadata, keep them together.',
  rest: { method: 'POST', path: '/v4/conversations', status: 200 },
  permission: 'write',
  reaches: 'tags',
  input: conversationInput,
  output: conversationOutput,
  tags: (input) => input.document.tags,
  errors: [409],
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
    const { id, status } = await service.documents.add(caller, input.document);
    return { id, conversationId: input.conversationId, status };
  },
});
