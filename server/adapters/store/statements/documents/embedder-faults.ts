// The failures of an embedder as a condition on documents.
import { EMBEDDER_FAULT } from '../../../../core/job-failure.ts';

/** From the first code to before the first that comes after them all, so that an index of the codes serves it. */
const AFTER = EMBEDDER_FAULT.replace(/.$/u, (last) => String.fromCodePoint((last.codePointAt(0) ?? 0) + 1));

export const FAILED_BY_EMBEDDER = `(failure_code >= '${EMBEDDER_FAULT}' and failure_code < '${AFTER}')`;
