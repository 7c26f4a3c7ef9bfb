// Runs at the end of `npm install`: fetches the Chroma server that an older Linux needs. It never fails an
// installation, because the first start tries again.
import { spawnSync } from 'node:child_process';
import { fileOf, findNode } from './node.js';

const program = fileOf('server/adapters/vectors/chroma/server/prepare');
const node = findNode();
if (program !== undefined && node !== null)
  spawnSync(node, [program], { stdio: ['ignore', 'inherit', 'inherit'] });
