/** A code of the processor is stored and shown: only if it is short and plain. */
export const plainCode = (code: string): string =>
  /^[A-Za-z0-9._-]{1,64}$/.test(code) && !/\d{8}/.test(code) ? code : 'UNREADABLE';
