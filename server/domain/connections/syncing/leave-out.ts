// The include and exclude rules of the settings for what connections bring: paths, addresses and titles with `*`, and folders.
// The rules are in force only while the filter of the settings is on.
import { matchesPattern } from '../../../lib/text/star-pattern.ts';

export interface LeaveOutRules {
  readonly include: RuleSet;
  readonly exclude: RuleSet;
}

interface RuleSet {
  /** Patterns of paths, addresses or titles. */
  readonly patterns: readonly string[];
  readonly folders: readonly string[];
  readonly urls: readonly string[];
  readonly titles: readonly string[];
}

interface Described {
  readonly title: string;
  readonly path: string | null;
  readonly url: string | null;
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string' && each !== '') : [];

const ruleSet = (items: unknown): RuleSet => {
  if (typeof items !== 'object' || items === null || Array.isArray(items)) {
    const places = texts(items).filter((text) => /[*/]/.test(text));
    return { patterns: places, folders: [], urls: [], titles: [] };
  }
  const { patterns, folders, urlPatterns, titlePatterns } = items as Record<string, unknown>;
  return {
    patterns: texts(patterns),
    folders: texts(folders),
    urls: texts(urlPatterns),
    titles: texts(titlePatterns),
  };
};

const isEmpty = ({ patterns, folders, urls, titles }: RuleSet): boolean =>
  patterns.length + folders.length + urls.length + titles.length === 0;

/** Null: nothing is left out. Of a plain list, which may hold topics of memories, only entries with a star or a slash count. */
export const leaveOutRules = (settings: {
  shouldLLMFilter?: unknown;
  includeItems?: unknown;
  excludeItems?: unknown;
}): LeaveOutRules | null => {
  if (settings.shouldLLMFilter !== true) return null;
  const rules = { include: ruleSet(settings.includeItems), exclude: ruleSet(settings.excludeItems) };
  return isEmpty(rules.include) && isEmpty(rules.exclude) ? null : rules;
};

const matchesAnyCase = (pattern: string, text: string): boolean =>
  matchesPattern(pattern.toLowerCase(), text.toLowerCase());

/** A pattern without a star is the beginning of a path or an address. */
const matchesPlace = (pattern: string, place: string | null): boolean =>
  place !== null && (pattern.includes('*') ? matchesAnyCase(pattern, place) : place.startsWith(pattern));

const isBelow = (folder: string, path: string | null): boolean => {
  const start = `/${folder.replace(/^\/+|\/+$/g, '')}/`;
  return path?.startsWith(start) === true;
};

const fits = ({ patterns, folders, urls, titles }: RuleSet, { title, path, url }: Described): boolean =>
  patterns.some(
    (each) => matchesPlace(each, path) || matchesPlace(each, url) || matchesAnyCase(each, title),
  ) ||
  folders.some((each) => isBelow(each, path)) ||
  urls.some((each) => matchesPlace(each, url)) ||
  titles.some((each) => matchesAnyCase(each, title));

/** An exclusion wins; with inclusions, everything else is left out. */
export const isLeftOut = ({ include, exclude }: LeaveOutRules, item: Described): boolean =>
  fits(exclude, item) || (!isEmpty(include) && !fits(include, item));
