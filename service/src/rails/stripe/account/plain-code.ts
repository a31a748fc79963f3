/** A code of the processor is stored and shown: only if it is short and plain. */
export const plainCode = (code: string): string =>
  /^[A-Za-z0-9._-]{1,64}$/.test(code) && !/\d{8}/.test(code) ? code : 'UNREADABLE';

/** An id or word of a scheme, kept as it is: one that cannot be stored is none, and none is masked. */
export const plainId = (id: string | null | undefined): string | null =>
  id && /^[\x21-\x7e]{1,64}$/.test(id) ? id : null;

/** The processor's own id of a thing: it is stored, and stands in the addresses of later calls. */
export const processorId = (id: unknown): string | null =>
  typeof id === 'string' && /^[A-Za-z0-9_-]{1,255}$/.test(id) ? id : null;
