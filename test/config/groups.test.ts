import { expect, test } from 'vitest';
import { loadConfig, orderedGroups, settingNames } from '../../server/config/config.ts';

const settings = orderedGroups.flatMap((group) => Object.entries(group.settings));

test('every setting is declared once, and every group has a place of its own', () => {
  expect(new Set(settingNames).size).toBe(settings.length);
  expect(new Set(orderedGroups.map(({ order }) => order)).size).toBe(orderedGroups.length);
});

test.each(settings)('%s has a help text in sentences, and a default that continues one', (_name, setting) => {
  expect(setting.help).toMatch(/^[A-Z].*\.$/);
  expect(setting.default).toMatch(/[^.]$/);
});

test('two groups never give the same part of the config', () => {
  const values = Object.fromEntries(
    settings.map(([name, { type }]) => [name, type.safeParse(undefined).data]),
  );
  const keys = orderedGroups.flatMap((group) => Object.keys(group.view(values)));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.sort()).toEqual(
    Object.keys(loadConfig({}))
      .filter((key) => key !== 'warnings')
      .sort(),
  );
});

test('every setting whose name says that it holds a secret is declared as one', () => {
  const secrets = settings.filter(([, { secret }]) => secret).map(([name]) => name);
  expect(secrets).toEqual(settingNames.filter((name) => /_KEY$|_TOKEN$|_SECRET$/.test(name)));
});
