// Variables that look like settings and are none: a misspelled setting would be left out without a word.

/** Below this likeness a name is something of its own. */
const LIKE = 0.75;
/** Variables of the command, and those that Kubernetes sets for a service of the name "memoir". */
const OTHERS: ReadonlySet<string> = new Set(['MEMOIR_URL', 'MEMOIR_LAUNCHED']);
const OF_A_SERVICE = /^(?:tcp|udp):\/\//;

const withoutPrefix = (name: string): string => name.replace(/^MEMOIR_/, '');

const pairsOf = (name: string): string[] =>
  Array.from({ length: Math.max(0, name.length - 1) }, (_, at) => name.slice(at, at + 2));

/** The share of the pairs of letters that both have. */
const likeness = (one: string, other: string): number => {
  const [left, right] = [pairsOf(one), pairsOf(other)];
  const rest = [...right];
  const common = left.filter((pair) => {
    const at = rest.indexOf(pair);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
  return (2 * common.length) / Math.max(1, left.length + right.length);
};

/** A sentence for each variable whose name is nearly that of a setting. */
export const misspelledSettings = (
  env: NodeJS.ProcessEnv,
  settings: readonly string[],
  isKnown: (name: string) => boolean,
): string[] =>
  Object.entries(env).flatMap(([name, value = '']) => {
    if (!name.startsWith('MEMOIR_') || value.trim() === '' || OF_A_SERVICE.test(value)) return [];
    if (OTHERS.has(name) || isKnown(name)) return [];
    const likely = settings
      .map((setting) => ({ setting, like: likeness(withoutPrefix(name), withoutPrefix(setting)) }))
      .sort((a, b) => b.like - a.like)[0];
    return likely !== undefined && likely.like >= LIKE
      ? [`${name} is no setting, so it has no effect. Did you mean ${likely.setting}?`]
      : [];
  });
