// Builds what is published: one file as ES module, one as CommonJS, and the types for both.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';

const here = import.meta.dirname;
const dist = join(here, 'dist');
const entry = join(here, 'src', 'index.generated.ts');

const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
);

/** Declarations keep the names of the sources that they import; who installs the package has none. */
const pointToDeclarations = (folder: string): void => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.d.ts'))) {
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.\/[\w.-]+)\.ts'/g, "$1.js'"));
  }
};

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.json')], { stdio: 'inherit' });
pointToDeclarations(join(dist, 'esm'));
cpSync(join(dist, 'esm'), join(dist, 'cjs'), { recursive: true });
writeFileSync(join(dist, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
for (const [format, folder] of [
  ['esm', 'esm'],
  ['cjs', 'cjs'],
] as const) {
  buildSync({
    entryPoints: [entry],
    outfile: join(dist, folder, 'index.js'),
    bundle: true,
    format,
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'error',
  });
}
