const traceContext = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** W3C Trace Context; another version or form is none. */
export const readTraceparent = (header: string | readonly string[] | undefined): string | null =>
  typeof header === 'string' && traceContext.test(header) ? header : null;
