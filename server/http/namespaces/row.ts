// One path of the namespace API (version 5 of the published API): it is an operation in other words.
import type { z } from 'zod';
import { type Operation, operation } from '../../../tools/operation.ts';

type Named = z.ZodType<{ namespace: string }>;

/** A row that works inside one namespace, which is a container tag: it finds nothing outside, also when it writes. */
export const insideNamespace = <Input extends Named, Output extends z.ZodType>(
  row: Omit<Operation<Input, Output>, 'reaches' | 'tags'>,
): Operation<Input, Output> => operation({ ...row, reaches: 'inside', tags: ({ namespace }) => [namespace] });

/** A row for keys with full access, as it changes a whole namespace or the organisation. */
export const forFullAccess = <Input extends z.ZodType, Output extends z.ZodType>(
  row: Omit<Operation<Input, Output>, 'reaches' | 'tags'>,
): Operation<Input, Output> => operation({ ...row, reaches: 'organisation' });
