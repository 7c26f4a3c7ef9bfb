import { expect, test } from 'vitest';
import type { Host } from '../../server/cli/host.ts';
import { type StartLook, serverNotes } from '../../server/cli/output/welcome.ts';

const notesOf = (look: Partial<StartLook>): string[] =>
  serverNotes({ found: [], silent: [], ...look }, { invocation: 'npx memoir' } as Host);

const OLLAMA = { name: 'ollama', title: 'Ollama', address: 'http://127.0.0.1:11434' };

test('a start without servers of models mentions none', () => {
  expect(notesOf({})).toEqual([]);
});

test('a start names the command for a server that answers', () => {
  expect(notesOf({ found: [OLLAMA] })).toEqual([
    'Ollama answers on this machine: npx memoir models list shows its models.',
  ]);
});

test('a start says what is missing without a chosen model, and both ways out', () => {
  const silent: StartLook['silent'] = [
    { name: 'ollama:llama3.2', for: 'chat', at: OLLAMA },
    { name: 'vllm:BAAI/bge-m3', for: 'embedding', at: null },
  ];
  expect(notesOf({ silent })).toEqual([
    'Note: the model ollama:llama3.2 is chosen, and Ollama does not answer at http://127.0.0.1:11434: new content gets no memories until it does. Start it, or go back: npx memoir models use builtin --for chat.',
    'Note: the model vllm:BAAI/bge-m3 is chosen, and MEMOIR_LOCAL_SERVERS does not name its server: searches use words only until it does. Add the server there, or go back: npx memoir models use builtin.',
  ]);
});
