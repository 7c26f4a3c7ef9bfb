// Turns statements that a caller sends into memories for the store.
import type {
  CreateMemoriesInput,
  ForgetMemoryInput,
  UpdateMemoryInput,
} from '../../../tools/memories/schemas/inputs.ts';
import type { StatementTraits } from '../../adapters/language-model/ports/memory-reader.ts';
import type {
  MemoryRecord,
  MemoryTarget,
  PreparedMemory,
  Revision,
} from '../../adapters/store/ports/memories/memories.ts';
import { defined } from '../../lib/defined.ts';
import { removeControls } from '../../lib/text/control-characters.ts';
import type { NewStatement } from './prepare-statements.ts';

/** The subject of a statement, if its words name one. */
export type StatementSubject = Pick<StatementTraits, 'slot' | 'about'>;
export type SubjectsOf = (statements: readonly string[]) => Promise<readonly StatementSubject[]>;
export const NO_SUBJECT: StatementSubject = { slot: null, about: null };

type Dated = Pick<CreateMemoriesInput['memories'][number], 'temporalContext'>;

const statedDates = ({ temporalContext }: Dated): Pick<Revision, 'documentDate' | 'eventDates'> => {
  const { documentDate, eventDate } = temporalContext ?? {};
  return {
    ...(documentDate === undefined ? {} : { documentDate }),
    ...(eventDate === undefined ? {} : { eventDates: eventDate ?? [] }),
  };
};

export const newStatement = (
  input: CreateMemoriesInput['memories'][number],
  { slot, about }: StatementSubject,
): NewStatement => {
  const { documentDate = null, eventDates = [] } = statedDates(input);
  const forgetAfter = input.forgetAfter ?? null;
  return {
    memory: removeControls(input.content),
    isStatic: input.isStatic ?? false,
    isInference: false,
    slot,
    about,
    forgetAfter,
    forgetReason: forgetAfter === null ? null : (input.forgetReason ?? null),
    metadata: input.metadata ?? null,
    documentDate,
    eventDates,
  };
};

/** The subject of the new text, else that of the old one. */
export const revisedStatement = (
  former: MemoryRecord,
  newContent: string,
  described: StatementSubject,
): NewStatement => ({
  memory: removeControls(newContent),
  isStatic: former.isStatic,
  isInference: false,
  slot: described.slot ?? former.slot,
  about: described.about ?? former.about,
  forgetAfter: null,
  forgetReason: null,
  metadata: null,
  documentDate: null,
  eventDates: [],
});

export const revisionOf = (input: UpdateMemoryInput, prepared: PreparedMemory): Revision => ({
  prepared,
  ...defined({
    metadata: input.metadata,
    forgetAfter: input.forgetAfter,
    forgetReason: input.forgetReason,
  }),
  ...statedDates(input),
});

export const toMemoryTarget = ({
  tags,
  id,
  content,
}: Pick<ForgetMemoryInput, 'tags' | 'id' | 'content'>): MemoryTarget => ({
  tags,
  ...(id === undefined ? defined({ content: content && removeControls(content) }) : { id }),
});
