// Changing the organisation's settings.
import { operation } from '../operation.ts';
import { settingsInput, settingsUpdated } from './schemas/settings.ts';

export const updateSettings = operation({
  name: 'settings.update',
  summary: 'Change the settings',
  description:
    'A field that is left out keeps its value; null removes it. The filter settings apply to content added later and need shouldLLMFilter.',
  rest: { method: 'PATCH', path: '/v3/settings', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'settings.change',
  input: settingsInput,
  output: settingsUpdated,
  examples: [
    {
      summary: 'Guide which memories are drawn',
      input: {
        shouldLLMFilter: true,
        filterPrompt: 'Keep decisions and deadlines.',
        excludeItems: ['weather'],
      },
    },
  ],
  run: (service, input, caller) => service.settings.update(input, caller),
});
