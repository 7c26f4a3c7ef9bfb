// The form of the page on which a person chooses what a connection syncs: it carries the choice from page to page, because the
// page runs no script.
import { z } from 'zod';
import { MemoirError } from '../../core/errors.ts';

const chosenResource = z.object({
  id: z.string().min(1).max(2_048),
  name: z.string().max(1_000),
  kind: z.string().max(100),
  how: z.unknown().optional(),
});
export type ChosenEntry = z.infer<typeof chosenResource>;

const folder = z.object({ id: z.string().min(1).max(1_024), name: z.string().max(1_000) });
export type FolderEntry = z.infer<typeof folder>;

/** The contents of the page. */
export interface ChoiceView {
  /** The folders from the top to the open one. */
  readonly trail: readonly FolderEntry[];
  /** Words of a search; empty: the open folder is shown. */
  readonly words: string;
  readonly page: number;
}

export interface ChoiceForm {
  readonly view: ChoiceView;
  readonly chosen: readonly ChosenEntry[];
  readonly step: 'show' | 'count' | 'save';
}

/** As many as `configure` takes. */
const MOST_CHOSEN = 1_000;
const DEEPEST = 100;

const list = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((input) => (typeof input === 'string' ? [input] : (input ?? [])));

const fields = z.object({
  do: z.string().default('show'),
  words: z.string().max(200).default(''),
  /** The words of the search that is shown. */
  shownWords: z.string().max(200).default(''),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  trail: z.string().default('[]'),
  chosen: list,
  tick: list,
});

const fieldJson = <T>(schema: z.ZodType<T>, text: string): T => {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new MemoirError(400, 'This page is out of date. Go back to its link and choose again.');
  }
};

const openedView = (step: string, view: ChoiceView, words: string): ChoiceView => {
  const [name, ...rest] = step.split(':');
  const value = rest.join(':');
  if (name === 'search') return { ...view, words: words.trim(), page: 1 };
  if (name === 'open')
    return { trail: [...view.trail, fieldJson(folder, value)].slice(-DEEPEST), words: '', page: 1 };
  if (name === 'to')
    return { trail: view.trail.slice(0, Math.max(0, Number(value) || 0)), words: '', page: 1 };
  if (name === 'page') return { ...view, page: Math.max(1, Number(value) || 1) };
  return view;
};

export const readChoiceForm = (input: unknown): ChoiceForm => {
  const read = fields.safeParse(input);
  if (!read.success)
    throw new MemoirError(400, 'This page is out of date. Go back to its link and choose again.');
  const { do: step, words, shownWords, page, trail, chosen, tick } = read.data;
  const entries = [...chosen, ...tick].map((text) => fieldJson(chosenResource, text));
  const unique = [...new Map(entries.map((entry) => [entry.id, entry])).values()];
  if (unique.length > MOST_CHOSEN)
    throw new MemoirError(400, `At most ${MOST_CHOSEN} can be chosen. Choose the folders above them.`);
  const shown: ChoiceView = { trail: fieldJson(z.array(folder), trail), words: shownWords, page };
  return {
    view: openedView(step, shown, words),
    chosen: unique,
    step: step === 'save' || step === 'count' ? step : 'show',
  };
};
