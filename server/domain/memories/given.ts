// From what a caller sends to what the store takes in.
import type {
  CreateMemoriesInput,
  ForgetMemoryInput,
  UpdateMemoryInput,
} from '../../../tools/shared/memories.ts';
import type { Description } from '../../adapters/model/port.ts';
import type {
  MemoryRecord,
  MemoryTarget,
  PreparedMemory,
  Revision,
} from '../../adapters/store/memory-port.ts';
import { defined } from '../../lib/defined.ts';
import type { Statement } from './statement.ts';

/** What a statement is about, as far as its words tell. */
export type Subject = Pick<Description, 'slot' | 'about'>;

type Dated = Pick<CreateMemoriesInput['memories'][number], 'temporalContext'>;

const datesOf = ({ temporalContext }: Dated): Pick<Revision, 'documentDate' | 'eventDates'> => {
  const { documentDate, eventDate } = temporalContext ?? {};
  return {
    ...(documentDate === undefined ? {} : { documentDate }),
    ...(eventDate === undefined ? {} : { eventDates: eventDate ?? [] }),
  };
};

export const statementOf = (
  given: CreateMemoriesInput['memories'][number],
  { slot, about }: Subject,
): Statement => {
  const { documentDate = null, eventDates = [] } = datesOf(given);
  const forgetAfter = given.forgetAfter ?? null;
  return {
    memory: given.content,
    isStatic: given.isStatic ?? false,
    isInference: false,
    slot,
    about,
    forgetAfter,
    forgetReason: forgetAfter === null ? null : (given.forgetReason ?? null),
    metadata: given.metadata ?? null,
    documentDate,
    eventDates,
  };
};

/** The new words tell what they are about; where they do not, it is what the old ones were about. */
export const revisedStatement = (
  former: MemoryRecord,
  newContent: string,
  described: Subject,
): Statement => ({
  memory: newContent,
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
  ...datesOf(input),
});

export const targetOf = ({
  tags,
  id,
  content,
}: Pick<ForgetMemoryInput, 'tags' | 'id' | 'content'>): MemoryTarget => ({
  tags,
  ...(id === undefined ? defined({ content }) : { id }),
});
