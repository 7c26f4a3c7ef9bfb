// Promises about the tools for agents.
import type { PromiseRow } from '../promise.ts';

export const agents = [
  {
    id: 'mcp:tools:budget',
    source: 'ours',
    says: 'The definitions of all five tools for agents together take fewer than 1,500 tokens.',
    ways: ['mcp'],
  },
  {
    id: 'mcp:search:budget',
    source: 'ours',
    says: 'A search result for an agent takes fewer than 6,000 characters, data and text together; when more was found, the field more says so.',
    ways: ['mcp'],
  },
  {
    id: 'isolation:agents:outside-tags',
    source: 'spec §Authentication',
    says: 'An agent whose key is bound to container tags reaches nothing outside them by any tool, resource, prompt or completion.',
    ways: ['mcp'],
  },
  {
    id: 'mcp:host:guard',
    source: 'ours',
    says: '/mcp answers only under the host of MEMOIR_BASE_URL and the names of this machine; any origin may call, because only the key decides.',
    ways: ['mcp'],
  },
  {
    id: 'mcp:key:challenge',
    source: 'contract §8.2',
    says: '/mcp without a valid key answers 401, and WWW-Authenticate names the metadata of the resource.',
    ways: ['mcp'],
  },
  {
    id: 'mcp:session:none',
    source: 'contract §8.1',
    says: '/mcp keeps no sessions: each request is answered on its own, also after a restart.',
    ways: ['mcp'],
  },
  {
    id: 'mcp:tag:default',
    source: 'ours',
    says: 'A tool without a container tag in its input uses the first tag of its key, or sm_project_default with a full key; with a key for one tag it has no such field.',
    ways: ['mcp'],
  },
  {
    id: 'mcp:load:many',
    source: 'ours',
    says: 'Five hundred searches for agents, twenty at a time, are all answered.',
    ways: ['mcp'],
  },
  {
    id: 'mcp:input:end',
    source: 'ours',
    says: 'memoir mcp answers every request that it received before its standard input was closed, then it ends; a cancelled request gets no answer.',
    ways: ['mcp'],
  },
  {
    id: 'mcp:project:no-key',
    source: 'ours',
    says: 'memoir mcp install --project writes no secret into the settings of a project: it refers to environment variables in the form that the program documents, or leaves them to its environment, and says so.',
    ways: ['mcp'],
  },
] as const satisfies readonly PromiseRow[];
