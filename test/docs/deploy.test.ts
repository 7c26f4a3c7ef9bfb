// Tests of the files for several machines: they name settings that exist, and parts that are there.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig, settingNames } from '../../server/config/config.ts';

interface ComposeService {
  environment?: Record<string, string>;
  secrets?: string[];
  depends_on?: Record<string, unknown>;
  volumes?: string[];
}

interface Compose {
  services: Record<string, ComposeService>;
  secrets: Record<string, unknown>;
  volumes: Record<string, unknown>;
}

const compose = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as Compose;
const isSetting = (name: string): boolean => settingNames.some((known) => known === name);
const isOurs = (name: string): boolean => /^(?:MEMOIR_|CHROMA_|OPENAI_)/.test(name);
const settingOf = (name: string): string => name.replace(/_FILE$/, '');

describe('deploy/compose.yaml', () => {
  test.each(['api', 'worker'])('the settings of %s exist and are accepted', (role) => {
    const environment = compose.services[role]?.environment ?? {};
    const unknown = Object.keys(environment).filter((name) => !isSetting(settingOf(name)));
    expect(unknown).toEqual([]);
    const given = Object.entries(environment).map(([name, value]): [string, string] => {
      const text = name === 'MEMOIR_BASE_URL' ? 'http://localhost:8080' : value;
      return name.endsWith('_FILE') ? [settingOf(name), `sm_${'v4Qz7'.repeat(8)}`] : [name, text];
    });
    expect(loadConfig(Object.fromEntries(given))).toMatchObject({ role, blobs: { bucket: 'memoir' } });
  });

  test('every secret, volume and service that is named is declared', () => {
    for (const { secrets = [], depends_on: needs = {}, volumes = [] } of Object.values(compose.services)) {
      expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets));
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(needs)));
      const named = volumes.map((volume) => volume.split(':')[0]);
      expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(named));
    }
  });
});

test('the chart sets settings that exist, and has a value for each that it reads', () => {
  const templates = ['_helpers.tpl', 'deployments.yaml', 'service.yaml'].map((name) =>
    readFileSync(`deploy/memoir/templates/${name}`, 'utf8'),
  );
  const text = templates.join('\n');
  const names = [...text.matchAll(/\b[A-Z]+_[A-Z_]+\b/g)].map(([name]) => name).filter(isOurs);
  expect(names.filter((name) => !isSetting(name))).toEqual([]);
  const values = parse(readFileSync('deploy/memoir/values.yaml', 'utf8')) as Record<string, unknown>;
  const valueAt = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], values);
  const read = [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path);
  expect(read.filter((path) => valueAt(path) === undefined)).toEqual([]);
});

test('the image is made of what the package holds', () => {
  const text = readFileSync('Dockerfile', 'utf8');
  const { engines, files } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    engines: { node: string };
    files: string[];
  };
  expect(text).toContain(`FROM node:${/\d+/.exec(engines.node)?.[0]}-`);
  expect(files).toEqual(expect.arrayContaining(['bin', 'dist']));
  for (const each of ['package.json', 'package-lock.json', 'LICENSE', 'bin/memoir.js'])
    expect(existsSync(each)).toBe(true);
});
