// npm run test:live -- <provider>: tries a source with a real account, and prints counts and sizes.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PROVIDERS } from '../../server/adapters/connect/port.ts';
import { trySource } from './try-source.ts';

const USAGE = `npm run test:live -- PROVIDER --options FILE [--choose ID]... [--pages N]

  PROVIDER        ${PROVIDERS.join(', ')}
  --options FILE  JSON: the metadata of the connection as its page in docs/connectors/ names it. A source with a
                  sign-in takes clientId, clientSecret and refreshToken, or the token that its page names.
  --choose ID     a folder, page or repository to read; default: the first one, where one must be chosen
  --pages N       the most pages of a look; default: 20

It stores nothing, and prints counts and sizes without names and secrets.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    options: { type: 'string' },
    choose: { type: 'string', multiple: true },
    pages: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});
const [provider] = positionals;
const file = values.options;

if (values.help || provider === undefined || file === undefined) {
  console.log(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  const options = JSON.parse(readFileSync(file, 'utf8'));
  const trial = { provider, options, choose: values.choose ?? null, mostPages: Number(values.pages) };
  await trySource(trial, (line) => console.log(line)).catch((error: Error) => {
    console.error(`The trial of ${provider} failed: ${error.message}`);
    process.exitCode = 1;
  });
}
