/** 87%, or a dash where there is nothing to divide by. */
export const writeShare = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((100 * part) / whole)}%`;
