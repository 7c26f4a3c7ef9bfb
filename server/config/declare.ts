// Declares a group of settings: each setting once, with its type, help text and default.
import type { z } from 'zod';

export interface SettingDeclaration<Type extends z.ZodType = z.ZodType> {
  /** The schema of the variable's text; optional or with a default. */
  readonly type: Type;
  /** One or two sentences for docs/settings.md. */
  readonly help: string;
  /** The default value or behaviour, in words. */
  readonly default: string;
  /** True: the value is never printed. */
  readonly secret?: true;
}

export type SettingShape = Readonly<Record<string, SettingDeclaration>>;

/** The parsed values, each with its own type. */
export type SettingValues<Shape extends SettingShape> = {
  readonly [Name in keyof Shape]: z.output<Shape[Name]['type']>;
};

/** The variables that are set, as raw text. */
export type SettingTexts = Readonly<Partial<Record<string, string>>>;

export interface SettingGroup<Shape extends SettingShape, Used extends SettingShape, View extends object> {
  /** The position of the group in docs/settings.md and in the list of problems. */
  readonly order: number;
  readonly title: string;
  readonly settings: Shape;
  /** Settings of another group that the view also needs. */
  readonly uses?: Used;
  /** The part of the config for the adapter of this group. */
  readonly view: (values: SettingValues<Shape & Used>) => View;
  /** Invalid combinations, each as a sentence. */
  readonly problems?: (given: SettingTexts) => string[];
  /** Settings of former versions, each with what to do now, as a sentence without its full stop. */
  readonly removed?: Readonly<Record<string, string>>;
  /** Warnings about combinations, each as a sentence. */
  readonly warnings?: (values: SettingValues<Shape & Used>) => string[];
}

export const settingGroup = <
  const Shape extends SettingShape,
  View extends object,
  const Used extends SettingShape = Record<never, never>,
>(
  group: SettingGroup<Shape, Used, View>,
): SettingGroup<Shape, Used, View> => group;

/** A warning for each setting that has no effect because the setting it belongs to is missing. */
export const withoutEffect = (
  values: Readonly<Record<string, unknown>>,
  needed: string,
  names: readonly string[],
): string[] =>
  values[needed] === undefined
    ? names
        .filter((name) => values[name] !== undefined)
        .map((name) => `${name} has no effect without ${needed}.`)
    : [];
