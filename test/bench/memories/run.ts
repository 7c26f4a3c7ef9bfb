// `npm run bench:memory`: what the service remembers of labelled scenarios, and of texts that nobody labelled.
import { isSet, readSet } from '../../memories/sets.ts';
import { createClient } from '../retrieval/client.ts';
import { startServer } from '../support/memoir.ts';
import { createMemoryClient } from './client.ts';
import { measureLocomo, measureScifact } from './collections.ts';
import { measureForgetting } from './forgetting.ts';
import { judge } from './judge.ts';
import { measureLanguages } from './languages.ts';
import { type Options, readOptions } from './options.ts';
import { measurePairs } from './pairs.ts';
import { play, type Service } from './play.ts';
import { measureSpeed } from './speed.ts';
import { printByCategory, printFigures, printProblems } from './table.ts';
import { measureWorth } from './worth.ts';

const options = readOptions(process.argv.slice(2));

const measureScenarios = async (service: Service, name: string, { byCategory, details }: Options) => {
  if (!isSet(name)) throw new Error(`There is no set "${name}". See --help.`);
  const scenarios = readSet(name);
  const judged = (await play(service, scenarios)).map(judge);
  if (details) printProblems(judged);
  console.log(`\n${name}: ${scenarios.length} scenarios`);
  printFigures(judged);
  if (byCategory) printByCategory(judged);
};

const measure = async (service: Service, name: string): Promise<void> => {
  if (options.details && name.endsWith('held'))
    throw new Error('A held set prints figures only, so that nobody can fit to its scenarios.');
  if (name === 'locomo') await measureLocomo(service, options);
  else if (name === 'scifact') await measureScifact(service);
  else if (name === 'languages') await measureLanguages(service, options.details);
  else if (name === 'forgetting') await measureForgetting(service, 'tuned', options.details);
  else if (name === 'forgetting:held') await measureForgetting(service, 'held', false);
  else if (name === 'pairs') await measurePairs('seen', options.details);
  else if (name === 'pairs:held') await measurePairs('held', false);
  else if (name === 'worth') await measureWorth(options.details);
  else if (name === 'speed') await measureSpeed(options.reader);
  else await measureScenarios(service, name, options);
};

const server = await startServer();
try {
  const address = { url: server.url, key: server.key };
  const service = { client: createClient(address), memories: createMemoryClient(address) };
  for (const name of options.sets) await measure(service, name);
} finally {
  await server.close();
}
