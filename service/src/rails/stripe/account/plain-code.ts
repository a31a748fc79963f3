/** A code of the processor's is stored and shown: never longer or stranger than a code is. */
export const plainCode = (code: string): string =>
  /^[A-Za-z0-9._-]{1,64}$/.test(code) && !/\d{8}/.test(code) ? code : 'UNREADABLE';
