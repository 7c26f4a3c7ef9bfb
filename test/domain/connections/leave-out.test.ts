// The include and exclude rules of the settings for what connections bring.
import { expect, test } from 'vitest';
import {
  isLeftOut,
  type LeaveOutRules,
  leaveOutRules,
} from '../../../server/domain/connections/syncing/leave-out.ts';

const rules = (settings: object): LeaveOutRules => {
  const read = leaveOutRules({ shouldLLMFilter: true, ...settings });
  if (read === null) throw new Error('These settings leave nothing out.');
  return read;
};

const isOut = (settings: object, path: string, more: { title?: string; url?: string } = {}): boolean =>
  isLeftOut(rules(settings), { path, title: more.title ?? 'note', url: more.url ?? null });

test('without the filter, without rules, or with topics alone, nothing is left out', () => {
  expect(leaveOutRules({ excludeItems: { patterns: ['*'] } })).toBeNull();
  expect(leaveOutRules({ shouldLLMFilter: true })).toBeNull();
  expect(leaveOutRules({ shouldLLMFilter: true, includeItems: ['customer feedback'] })).toBeNull();
});

test('an exclusion is a pattern, the beginning of a path, a folder, an address or a title', () => {
  expect(isOut({ excludeItems: ['*.log'] }, '/a/server.log')).toBe(true);
  expect(isOut({ excludeItems: { patterns: ['/drafts/'] } }, '/drafts/x.md')).toBe(true);
  expect(isOut({ excludeItems: { folders: ['Archive'] } }, '/Archive/old.md')).toBe(true);
  expect(isOut({ excludeItems: { folders: ['Archive'] } }, '/Archived/old.md')).toBe(false);
  const url = 'https://example.org/private/x';
  expect(isOut({ excludeItems: { urlPatterns: ['*/private/*'] } }, '/x', { url })).toBe(true);
  expect(isOut({ excludeItems: { titlePatterns: ['Copy of *'] } }, '/x', { title: 'copy of plan' })).toBe(
    true,
  );
});

test('with an inclusion everything else is left out, and an exclusion wins', () => {
  const settings = { includeItems: { folders: ['Plans'] }, excludeItems: { patterns: ['*.tmp'] } };
  expect(isOut(settings, '/Plans/a.md')).toBe(false);
  expect(isOut(settings, '/Other/a.md')).toBe(true);
  expect(isOut(settings, '/Plans/a.tmp')).toBe(true);
});
