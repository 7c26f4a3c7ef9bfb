// The role words of conversations.
import type { Role } from './conversation.ts';

const WORDS: Record<Role, string> = {
  user: 'user human me you customer client 用户 usuario utilisateur benutzer',
  assistant: 'assistant ai bot model agent chatgpt gpt claude gemini copilot 助手 asistente assistent',
  system: 'system developer',
  tool: 'tool function tool_call tool_use tool_result tool_response function_call function_result functions',
};

const roles = new Map<string, Role>();
for (const [role, words] of Object.entries(WORDS))
  for (const word of words.split(' ')) roles.set(word, role as Role);

/** Words without another meaning; a single line with one is enough. */
const PLAIN = new Set(['user', 'human', 'assistant', 'ai', 'system', '用户', '助手']);

export const roleWords: readonly string[] = [...roles.keys()];

export const roleOf = (word: string): Role | null => roles.get(word.toLowerCase()) ?? null;

export const isPlainRole = (word: string): boolean => PLAIN.has(word.toLowerCase());
