/** Throws if a trace was found, so that the test that wrote it fails. */
export const requireNoTraces = (found: readonly string[]): void => {
  if (found.length > 0) throw new Error(`card numbers were written: ${found.join('; ')}`);
};
