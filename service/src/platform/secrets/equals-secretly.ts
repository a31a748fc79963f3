import { createHash, timingSafeEqual } from 'node:crypto';

/** Takes the same time wherever the two differ, also in length. */
export const equalsSecretly = (given: string | Buffer, expected: string | Buffer): boolean =>
  timingSafeEqual(digest(given), digest(expected));

const digest = (value: string | Buffer): Buffer => createHash('sha256').update(value).digest();
