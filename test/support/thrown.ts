// The error of a call that has to fail, as its caller sees it.
import { MemoirError } from '../../server/core/errors.ts';

export async function thrownBy(call: () => unknown): Promise<MemoirError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof MemoirError) return error;
    throw error;
  }
  throw new Error('The call succeeded although it had to fail.');
}
