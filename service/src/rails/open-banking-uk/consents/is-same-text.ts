import { createHash, timingSafeEqual } from 'node:crypto';

/** In constant time: an expected value must not be found letter by letter. */
export const isSameText = (given: unknown, expected: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digestOf(given), digestOf(expected));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
