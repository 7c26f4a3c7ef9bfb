// Returns the error with which a call fails.

export const thrownBy = async (call: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
};
