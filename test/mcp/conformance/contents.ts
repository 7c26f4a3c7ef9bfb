// The texts that the conformance suite expects of plain tools, resources and prompts, word for word.

import {
  completable,
  fromJsonSchema,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { timePasses } from '../../support/until.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (said: string) => ({ type: 'text' as const, text: said });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, said: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: said },
});

const mixed = embedded(
  'test://mixed-content-resource',
  'application/json',
  JSON.stringify({ test: 'data', value: 123 }),
);

/** Tools that only answer. */
const answers = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio' as const, data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: [text('Multiple content types test:'), image, mixed],
  test_streaming_elicitation: [text('Only results on this stream.')],
};

const none = z.object({});

const logThrice = async ({ mcpReq }: ServerContext) => {
  for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
    await timePasses(20, 'the suite looks at each by itself');
  }
  return { content: [text('Tool with logging executed successfully')] };
};

const progress = async ({ mcpReq }: ServerContext) => {
  const { progressToken } = mcpReq._meta ?? {};
  for (const done of progressToken === undefined ? [] : [0, 50, 100]) {
    const params = { progressToken, progress: done, total: 100, message: `Completed step ${done} of 100` };
    await mcpReq.notify({ method: 'notifications/progress', params });
    await timePasses(20, 'the suite looks at each by itself');
  }
  return { content: [text(String(progressToken ?? 'none'))] };
};

/** Keywords that have to arrive as they were written. */
const wholeDialect = fromJsonSchema({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
});

/** A keyword of the protocol's own. */
const region = { type: 'string' as const, 'x-mcp-header': 'Region' };

const inHeader = fromJsonSchema<{ region?: string }>({
  type: 'object',
  properties: { region, level: { type: 'integer' } },
});

export const registerTools = (server: McpServer): void => {
  for (const [name, content] of Object.entries(answers))
    server.registerTool(name, { description: `Answers for ${name}` }, async () => ({ content }));
  const described = (description: string) => ({ description, inputSchema: none });
  server.registerTool('test_tool_with_logging', described('Logs'), (_args, context) => logThrice(context));
  server.registerTool('test_tool_with_progress', described('Progresses'), (_args, context) =>
    progress(context),
  );
  server.registerTool('test_logging_tool', described('Logs where asked'), async (_args, { mcpReq }) => {
    await mcpReq.log('info', 'Only for a request that wants logs.');
    return { content: [text('logged')] };
  });
  server.registerTool('test_error_handling', described('Fails'), async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_reconnection', described('Takes a moment'), async () => {
    await timePasses(50, 'the suite connects again meanwhile');
    return { content: [text('Reconnection test completed successfully.')] };
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'A whole dialect', inputSchema: wholeDialect },
    async (given) => ({ content: [text(JSON.stringify(given))] }),
  );
  server.registerTool(
    'test_x_mcp_header',
    { description: 'An argument in a header', inputSchema: inHeader },
    async (given) => ({ content: [text(`region=${given.region ?? '<none>'}`)] }),
  );
};

export const registerResources = (server: McpServer): void => {
  const described = (mimeType: string) => ({ description: 'For tests', mimeType });
  const plain = (name: string, uri: string, said: string) =>
    server.registerResource(name, uri, described('text/plain'), async () => ({
      contents: [{ uri, mimeType: 'text/plain', text: said }],
    }));
  plain('static-text', 'test://static-text', 'This is the content of the static text resource.');
  plain('watched-resource', 'test://watched-resource', 'Watched resource content');
  server.registerResource('static-binary', 'test://static-binary', described('image/png'), async () => ({
    contents: [{ uri: 'test://static-binary', mimeType: 'image/png', blob: PNG }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    described('application/json'),
    async (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const)
    server.server.setRequestHandler(method, async () => ({}));
  server.server.setRequestHandler('logging/setLevel', async () => ({}));
};

export const registerPrompts = (server: McpServer): void => {
  const from = (content: ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>) => ({
    role: 'user' as const,
    content,
  });
  const argument = (said: string) => completable(z.string().describe(said), () => ['one', 'two']);
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () => ({
    messages: [from(text('This is a simple prompt for testing.'))],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'With arguments',
      argsSchema: z.object({ arg1: argument('The first'), arg2: argument('The second') }),
    },
    ({ arg1, arg2 }) => ({
      messages: [from(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: z.object({ resourceUri: z.string().describe('Its URI') }) },
    ({ resourceUri }) => ({
      messages: [
        from(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        from(text('Please process the embedded resource above.')),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'With an image' }, () => ({
    messages: [from(image), from(text('Please analyze the image above.'))],
  }));
};
