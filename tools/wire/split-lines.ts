/** A page has long lines: each element is one. */
export const splitLines = (reply: string): readonly string[] => reply.split(/\n|(?<=>)(?=<)/);
