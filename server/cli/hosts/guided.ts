// The programs that have no settings file for others: their users paste the entry, or the address of the server.
import { type AddressHost, type Launch, launchEntry, type PastedHost } from './agent-host.ts';

const jsonOf = (launch: Launch, name: string): string =>
  JSON.stringify({ mcpServers: { [name]: launchEntry(launch, null) } }, null, 2);

/** YAML takes texts and lists in the spelling of JSON. */
const gooseYaml = ({ command, args, env }: Launch, name: string): string =>
  [
    'extensions:',
    `  ${name}:`,
    `    name: ${JSON.stringify(name)}`,
    '    type: stdio',
    '    enabled: true',
    `    cmd: ${JSON.stringify(command)}`,
    `    args: ${JSON.stringify(args)}`,
    ...(Object.keys(env).length === 0 ? [] : [`    envs: ${JSON.stringify(env)}`]),
    '    timeout: 300',
  ].join('\n');

export const pastedHosts: readonly PastedHost[] = [
  {
    kind: 'pasted',
    name: 'goose',
    title: 'Goose',
    text: gooseYaml,
    steps: [
      'Open the configuration file of Goose: ~/.config/goose/config.yaml, on Windows %APPDATA%\\Block\\goose\\config\\config.yaml.',
      'Add the lines; if "extensions:" is there already, add only those below it.',
      'Start Goose again; "goose info -v" shows the extension.',
    ],
    removal: 'Delete its lines below "extensions:" in the config.yaml of Goose.',
  },
  {
    kind: 'pasted',
    name: 'jetbrains',
    title: 'JetBrains AI Assistant',
    text: jsonOf,
    steps: [
      'Open Settings, Tools, AI Assistant, Model Context Protocol (MCP), and press Add.',
      'Choose JSON, paste the text, and press OK and Apply.',
    ],
    removal: 'Remove it in Settings, Tools, AI Assistant, Model Context Protocol (MCP).',
  },
  {
    kind: 'pasted',
    name: 'lm-studio',
    title: 'LM Studio',
    text: jsonOf,
    steps: [
      'Open the Program tab in the right hand sidebar and choose Install, Edit mcp.json.',
      'Paste the text and save; if "mcpServers" is there already, add only the entry inside it.',
    ],
    removal: 'Remove it with Install, Edit mcp.json in the Program tab.',
  },
];

export const addressHosts: readonly AddressHost[] = [
  {
    kind: 'address',
    name: 'chatgpt',
    title: 'ChatGPT',
    steps: [
      'In ChatGPT, open Settings, Connectors, Advanced, and switch Developer mode on; in a company an administrator allows it first.',
      'Open Settings, Connectors, Create; enter a name, this address, and OAuth as authentication.',
      'The connect page of Memoir opens: paste an API key there, choose container tags and permission, and allow.',
      'In a chat, press +, choose Developer mode, and switch the connector on.',
    ],
    removal: 'Remove the connector in its settings, and revoke the grant with "memoir grants revoke".',
  },
  {
    kind: 'address',
    name: 'claude-ai',
    title: 'claude.ai',
    steps: [
      'Open https://claude.ai/customize/connectors and add a custom connector with this address; in a team only an administrator can.',
      'Press Connect. The connect page of Memoir opens: paste an API key there, choose container tags and permission, and allow.',
    ],
    removal: 'Remove the connector in its settings, and revoke the grant with "memoir grants revoke".',
  },
];
