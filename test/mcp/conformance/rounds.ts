// The tools of the conformance suite that answer with a question until they have all input.
import { randomBytes, randomUUID } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  type McpServer,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The state that a client carries from round to round is signed. */
export const stateCodec = createRequestStateCodec<Record<string, unknown>>({ key: randomBytes(32) });

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });

const askFor = (name: string, type: 'string' | 'boolean', message: string) => {
  const field = type === 'string' ? { type: 'string' as const } : { type: 'boolean' as const };
  const requestedSchema = { type: 'object' as const, properties: { [name]: field }, required: [name] };
  return inputRequired.elicit({ message, requestedSchema });
};

const think = (prompt: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  });

const seal = (state: Record<string, unknown>) => stateCodec.mint({ ...state, nonce: randomUUID() });

type Given = Record<string, unknown> | undefined;

const accepted = (given: Given, question: string, field: string): unknown =>
  acceptedContent<Record<string, unknown>>(given, question)?.[field];

const thought = (given: Given, question: string): string | undefined =>
  (given?.[question] as { content?: { text?: string } } | undefined)?.content?.text;

const rootsIn = (given: Given): { uri?: string }[] | undefined =>
  (given?.client_roots as { roots?: { uri?: string }[] } | undefined)?.roots;

const askName = () => askFor('name', 'string', 'What is your name?');

const allAtOnce = async ({ mcpReq }: ServerContext) => {
  const given = mcpReq.inputResponses;
  const name = accepted(given, 'user_name', 'name');
  const greeting = thought(given, 'greeting');
  const roots = rootsIn(given);
  if (typeof name === 'string' && greeting !== undefined && roots !== undefined)
    return said(`${greeting} ${name}, ${roots.length} roots`);
  const inputRequests = {
    user_name: askName(),
    greeting: think('Generate a greeting'),
    client_roots: inputRequired.listRoots(),
  };
  return inputRequired({ inputRequests, requestState: await seal({ tool: 'multiple_inputs' }) });
};

const round = async ({ mcpReq }: ServerContext) => {
  const state = mcpReq.requestState<Record<string, unknown>>();
  if (state?.round === 2) {
    const colour = accepted(mcpReq.inputResponses, 'step2', 'color');
    return said(`Multi-round complete: ${String(state.name)} likes ${String(colour)}`);
  }
  if (state?.round === 1) {
    const name = accepted(mcpReq.inputResponses, 'step1', 'name') ?? 'unknown';
    return inputRequired({
      inputRequests: { step2: askFor('color', 'string', 'Step 2: What is your favorite color?') },
      requestState: await seal({ round: 2, name }),
    });
  }
  return inputRequired({
    inputRequests: { step1: askFor('name', 'string', 'Step 1: What is your name?') },
    requestState: await seal({ round: 1 }),
  });
};

const confirmed = async ({ mcpReq }: ServerContext) => {
  const isConfirmed = accepted(mcpReq.inputResponses, 'confirm', 'ok') !== undefined;
  if (isConfirmed && mcpReq.requestState() !== undefined) return said('state-ok, integrity-ok');
  return inputRequired({
    inputRequests: { confirm: askFor('ok', 'boolean', 'Please confirm') },
    requestState: await seal({ tool: 'confirm' }),
  });
};

/** Only the kinds of input that the client supports. */
const whatItCan = async ({ mcpReq }: ServerContext) => {
  if (mcpReq.inputResponses !== undefined) return said('Answered');
  const envelope = (mcpReq.envelope ?? {}) as Record<string, object | undefined>;
  const can = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {};
  const inputRequests: InputRequests = {
    ...('elicitation' in can ? { user_name: askName() } : {}),
    ...('sampling' in can ? { greeting: think('Generate a short greeting') } : {}),
    ...('roots' in can ? { client_roots: inputRequired.listRoots() } : {}),
  };
  return Object.keys(inputRequests).length === 0 ? said('Nothing to ask') : inputRequired({ inputRequests });
};

const tools: Record<
  string,
  (context: ServerContext) => Promise<ReturnType<typeof said> | ReturnType<typeof inputRequired>>
> = {
  test_missing_capability: async ({ mcpReq }) =>
    mcpReq.inputResponses?.llm_answer === undefined
      ? inputRequired({ inputRequests: { llm_answer: think('Reply with the single word: pong') } })
      : said('done'),
  test_input_required_result_elicitation: async ({ mcpReq }) => {
    const name = accepted(mcpReq.inputResponses, 'user_name', 'name');
    return typeof name === 'string'
      ? said(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: askName() } });
  },
  test_input_required_result_sampling: async ({ mcpReq }) => {
    const answer = thought(mcpReq.inputResponses, 'capital_question');
    return answer === undefined
      ? inputRequired({ inputRequests: { capital_question: think('What is the capital of France?') } })
      : said(`Sampling response: ${answer}`);
  },
  test_input_required_result_list_roots: async ({ mcpReq }) => {
    const roots = rootsIn(mcpReq.inputResponses);
    return roots === undefined
      ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
      : said(`Roots: ${roots.map(({ uri }) => uri).join(', ')}`);
  },
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multiple_inputs: allAtOnce,
  test_input_required_result_multi_round: round,
  test_input_required_result_capabilities: whatItCan,
};

export const registerRounds = (server: McpServer, notify: ServerNotifier): void => {
  for (const [name, answer] of Object.entries(tools)) {
    const described = { description: `Asks back for ${name}`, inputSchema: z.object({}) };
    server.registerTool(name, described, (_args, context) => answer(context));
  }
  const trigger = (name: string, change: () => void) =>
    server.registerTool(name, { description: 'Tells of a change', inputSchema: z.object({}) }, async () => {
      change();
      return said('told');
    });
  trigger('test_trigger_tool_change', notify.toolsChanged);
  trigger('test_trigger_prompt_change', notify.promptsChanged);
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks back' }, (context) => {
    const given = (context as ServerContext).mcpReq.inputResponses;
    const answer = accepted(given, 'user_context', 'context');
    if (typeof answer !== 'string') {
      const question = askFor('context', 'string', 'What context should the prompt use?');
      return inputRequired({ inputRequests: { user_context: question } });
    }
    const text = `Use the following context: ${answer}`;
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
};
