// Statements that name somebody by a tie that has passed to another: after "Ayumi's teacher is Ms Hayashi" in place of "Ayumi's
// teacher is Mr Kondo", "Ayumi's teacher Mr Kondo gives much homework" is of the past too.
import type { DrawnRelation } from '../../../../adapters/language-model/ports/memory-reader.ts';
import { isTie } from '../../../../lib/text/attributes.ts';
import { type EarlierStatement, isCurrent, type StatementPool } from './statement-pool.ts';

const NAME = String.raw`(?<name>(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*)`;
const NAMES: readonly RegExp[] = [
  new RegExp(
    String.raw`['’]s (?:new )?(?<tie>[\p{L}-]+)(?:['’]s name)? is (?:called |named |now )?${NAME}(?=$|[,;.])`,
    'u',
  ),
  new RegExp(
    String.raw`^${NAME} is \P{Lu}*(?:\p{Lu}[\p{L}-]+)?['’]s (?:new )?(?<tie>[\p{L}-]+)(?: now)?(?=$|[,;.])`,
    'u',
  ),
];

/** "teacher Mr. Kondo", from the statement that gives the tie its holder. */
const holderIn = (memory: string): string | null => {
  for (const pattern of NAMES) {
    const { tie = '', name = '' } = pattern.exec(memory)?.groups ?? {};
    if (tie !== '' && isTie(tie)) return `${tie} ${name}`;
  }
  return null;
};

const saysOfHolder = (memory: string, holder: string): boolean => {
  const at = memory.indexOf(` ${holder} `);
  return (
    at > 0 &&
    /^(?:The user|\p{Lu}[\p{L} .-]*)['’]s(?: \p{Ll}+ \p{Lu}[\p{L}-]+['’]s)?$/u.test(memory.slice(0, at))
  );
};

/** The further statements that are replaced with those that a statement replaces. */
export const ofFormerHolders = (
  relations: readonly DrawnRelation[],
  pool: StatementPool,
): DrawnRelation[] => {
  const replaced = relations
    .filter(({ kind }) => kind === 'updates')
    .map(({ to }) => pool.byRef.get(to)?.statement);
  const holders = replaced.flatMap((one) => (one === undefined ? [] : (holderIn(one.memory) ?? [])));
  const isOfFormer = (one: EarlierStatement): boolean =>
    isCurrent(one) && !replaced.includes(one) && holders.some((holder) => saysOfHolder(one.memory, holder));
  const former = holders.length === 0 ? [] : [...pool.byText.values()].filter(isOfFormer);
  for (const one of former) one.replaced = true;
  return former.map(({ ref }) => ({ kind: 'updates', to: ref }));
};
