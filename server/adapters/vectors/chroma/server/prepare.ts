// The program that `npm install` runs at its end (bin/prepare.js).
import { messageOf } from '../../../../lib/failures.ts';
import { fetchOlderBinding, isOlderBindingMissing } from './older-binding.ts';

if (isOlderBindingMissing()) {
  try {
    await fetchOlderBinding();
    process.stdout.write('Memoir fetched the Chroma server for this older Linux.\n');
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
  }
}
