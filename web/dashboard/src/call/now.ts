/** The clock of the browser: every time that a page needs comes from here. */
export const now = (): Date => new Date();
