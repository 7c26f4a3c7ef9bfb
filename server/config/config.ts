// The config: reads and checks all settings of the environment, and returns the views of the groups.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../lib/failures.ts';
import type {
  SettingDeclaration,
  SettingGroup,
  SettingShape,
  SettingTexts,
  SettingValues,
} from './declare.ts';
import { misspelledSettings } from './misspelled.ts';
import { settingGroups } from './settings.generated.ts';

type Groups = (typeof settingGroups)[number];
type All<Part> = (Part extends unknown ? (part: Part) => void : never) extends (all: infer Whole) => void
  ? Whole
  : never;

export type SettingName = keyof All<Groups['settings']> & string;

export type Config = All<ReturnType<Groups['view']>> & {
  /** Warnings about combinations of settings, printed at the start. */
  warnings: readonly string[];
};

/** Invalid settings. The message has one line for each problem. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

type AnyGroup = Omit<SettingGroup<SettingShape, SettingShape, object>, 'view' | 'warnings'> & {
  /** Each group picks its own settings from all values. */
  view(values: object): object;
  warnings?(values: object): string[];
};

/** In the order of docs/settings.md. */
export const orderedGroups: readonly AnyGroup[] = (settingGroups as readonly AnyGroup[]).toSorted(
  (one, other) => one.order - other.order,
);

const settingsByName = new Map<string, SettingDeclaration>(
  orderedGroups.flatMap(({ settings }) => Object.entries(settings)),
);

export const settingNames = [...settingsByName.keys()] as readonly SettingName[];

/** The settings whose values are never printed. */
export const secretSettings: readonly string[] = settingNames.filter(
  (name) => settingsByName.get(name)?.secret,
);

/** An empty variable counts as not set, because compose files write unset variables as empty. */
const textOf = (env: NodeJS.ProcessEnv, name: string): string | undefined => {
  const text = env[name]?.trim();
  return text === '' ? undefined : text;
};

const readSecretFile = (name: string, file: string): string => {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text !== '') return text;
  } catch (error) {
    throw new ConfigError([`${name}_FILE names a file that cannot be read: ${messageOf(error)}.`]);
  }
  throw new ConfigError([`${name}_FILE names the file ${file}, which is empty.`]);
};

/** A secret may lie in a file, which the setting with the ending _FILE names, as orchestrators provide secrets. */
const textOrFile = (env: NodeJS.ProcessEnv, name: string): string | undefined => {
  const text = textOf(env, name);
  const file = secretSettings.includes(name) ? textOf(env, `${name}_FILE`) : undefined;
  if (file === undefined) return text;
  if (text !== undefined)
    throw new ConfigError([`${name} and ${name}_FILE are both set. Remove one of them.`]);
  return readSecretFile(name, file);
};

const setVariables = (env: NodeJS.ProcessEnv): SettingTexts => {
  const pairs = settingNames.map((name) => [name, textOrFile(env, name)] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
};

/** The value for an error message, without secrets and without a password in an address. */
const shownValue = (name: string, given = ''): string =>
  settingsByName.get(name)?.secret
    ? 'the value that is set'
    : JSON.stringify(given.replace(/\/\/[^/@]*@/, '//…@'));

const misreadSettings = (given: SettingTexts, issues: readonly z.core.$ZodIssue[]): string[] => {
  const expected = new Map<string, string>();
  for (const { path, message } of issues) {
    const name = String(path[0]);
    if (settingsByName.has(name) && !expected.has(name)) expected.set(name, message);
  }
  return [...expected].map(
    ([name, what]) => `${name} cannot be ${shownValue(name, given[name])}: expected ${what}.`,
  );
};

const readValues = (given: SettingTexts): SettingValues<SettingShape> => {
  const types = Object.fromEntries([...settingsByName].map(([name, { type }]) => [name, type]));
  const parsed = z.object(types).safeParse(given);
  const problems = [
    ...misreadSettings(given, parsed.success ? [] : parsed.error.issues),
    ...orderedGroups.flatMap((group) => group.problems?.(given) ?? []),
  ];
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new ConfigError(problems);
};

const removedNames: readonly string[] = orderedGroups.flatMap(({ removed }) => Object.keys(removed ?? {}));

const isKnownVariable = (name: string): boolean =>
  settingsByName.has(name) ||
  removedNames.includes(name) ||
  secretSettings.includes(name.replace(/_FILE$/, ''));

const removedSettings = (env: NodeJS.ProcessEnv): string[] =>
  orderedGroups
    .flatMap(({ removed }) => Object.entries(removed ?? {}))
    .filter(([name]) => (env[name]?.trim() ?? '') !== '')
    .map(([name, next]) => `${name} has no effect any more, so remove it. ${next}.`);

/** Reads the settings; throws one `ConfigError` that names all problems. */
export const loadConfig = (env: NodeJS.ProcessEnv): Config => {
  const values = readValues(setVariables(env));
  const views = orderedGroups.map((group) => group.view(values));
  const combined = orderedGroups.flatMap((group) => group.warnings?.(values) ?? []);
  const misspelled = misspelledSettings(env, settingNames, isKnownVariable);
  const warnings = [...removedSettings(env), ...misspelled, ...combined];
  return Object.assign({}, ...views, { warnings });
};
