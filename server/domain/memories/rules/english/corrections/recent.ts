// The last sentences of a conversation with the statements drawn from them, so that a correction finds its target.
import type { RuleStatement } from '../../language.ts';
import { told } from '../statement.ts';

/** A sentence, and the statements that were drawn from it. */
export interface Said {
  readonly by: string;
  readonly turn: number;
  readonly statements: readonly RuleStatement[];
}

/** The place and the time of a correction. */
export type Place = Pick<RuleStatement, 'said' | 'position' | 'saidAt' | 'daysFrom'>;

export interface Recent {
  turn(): void;
  note(by: string, statements: readonly RuleStatement[]): void;
  /** The last sentence of the speaker, whether it states something or not. */
  lastOf(by: string): Said | undefined;
  /** The statements that a correction may mean, the likeliest first. Without a mark, only somebody else corrects what was said just before. */
  targetsOf(by: string, isMarked: boolean): Said[];
  statements(): RuleStatement[];
  withdraw(said: Said): void;
  /** The statements with their new words, in place of the wrong ones; null if none changes. */
  change(wrong: Said, place: Place, reword: (memory: string) => string | null): RuleStatement[] | null;
  readonly withdrawn: ReadonlySet<RuleStatement>;
}

const MOST_SENTENCES = 12;
/** A correction follows what it corrects. */
const MOST_TURNS = 4;
const MOST_TARGETS = 3;

export const createRecent = (): Recent => {
  const withdrawn = new Set<RuleStatement>();
  let said: Said[] = [];
  let turn = 0;
  const lately = (): Said[] =>
    said.filter((one) => turn - one.turn <= MOST_TURNS && one.statements.length > 0).reverse();
  return {
    withdrawn,
    turn: () => {
      turn += 1;
    },
    note: (by, statements) => {
      said = [...said, { by, turn, statements }].slice(-MOST_SENTENCES);
    },
    lastOf: (by) => said.findLast((one) => one.by === by),
    targetsOf(by, isMarked) {
      if (!isMarked)
        return lately()
          .slice(0, 1)
          .filter((one) => one.by !== by);
      const own = lately().filter((one) => one.by === by);
      return [...own, ...lately().filter((one) => one.by !== by)].slice(0, MOST_TARGETS);
    },
    statements: () => lately().flatMap(({ statements }) => statements),
    withdraw({ statements }) {
      for (const one of statements) withdrawn.add(one);
    },
    change(wrong, place, reword) {
      const changed = wrong.statements.map((one) => {
        const memory = reword(one.memory);
        if (memory === null) return one;
        withdrawn.add(one);
        const { said, position } = place;
        const corrects = [...one.corrects, one.memory];
        return { ...one, said, position, ...told(memory, one.daysFrom), corrects };
      });
      const fresh = changed.filter((one, at) => one !== wrong.statements[at]);
      if (fresh.length === 0) return null;
      said = said.map((one) => (one === wrong ? { ...one, turn, statements: changed } : one));
      return fresh;
    },
  };
};
