// Changing the organisation's settings.
import { operation } from '../contract.ts';
import { settingsInput, settingsUpdated } from '../shared/settings.ts';

export const updateSettings = operation({
  name: 'settings.update',
  summary: 'Change the settings',
  description:
    'What is left out stays, null takes it away. Guidance holds for content that comes later; it needs shouldLLMFilter.',
  rest: { method: 'PATCH', path: '/v3/settings', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  input: settingsInput,
  output: settingsUpdated,
  examples: [
    {
      summary: 'Guide what is remembered',
      input: {
        shouldLLMFilter: true,
        filterPrompt: 'Keep decisions and deadlines.',
        excludeItems: ['weather'],
      },
    },
  ],
  run: (service, input) => service.settings.update(input),
});
