/** Told where it was found, so that the test that wrote it is the one that fails. */
export const requireNoTraces = (found: readonly string[]): void => {
  if (found.length > 0) throw new Error(`card numbers were written: ${found.join('; ')}`);
};
