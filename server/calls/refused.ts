// An error of the service as agents see it.
import { Refused } from '../../tools/tool.ts';
import { MemoirError } from '../core/errors.ts';

export const asRefused = (error: unknown): unknown =>
  error instanceof MemoirError
    ? new Refused(error.status, [error.message, error.details].filter(Boolean).join(' '), error)
    : error;
