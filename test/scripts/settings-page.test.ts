import { expect, test } from 'vitest';
import { currentSettingsPage, renderSettingsPage } from '../../scripts/settings-page.ts';
import { orderedGroups } from '../../server/config/config.ts';

test('the settings in docs/settings.md are current (npm run generate)', () => {
  expect(currentSettingsPage()).toBe(renderSettingsPage(currentSettingsPage(), orderedGroups));
});

test('no line of the generated settings is longer than a reader can follow in the source', () => {
  const [, generated = ''] = currentSettingsPage().split('<!-- settings');
  const [settings = ''] = generated.split('<!-- end of settings');
  expect(settings.split('\n').filter((line) => line.length > 120)).toEqual([]);
});

test('a page without a place for the settings is refused', () => {
  expect(() => renderSettingsPage('# Settings', [])).toThrow('docs/settings.md needs the lines');
});
