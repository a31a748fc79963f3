import { randomBytes, randomFillSync } from 'node:crypto';

/** Real time. Business time is the database's, moved by the tenant's clock (TIME-1). */
export type Clock = {
  readonly now: () => Date;
  /** Resolves early, with no error, when the signal is aborted. */
  readonly sleep: (durationMs: number, signal?: AbortSignal) => Promise<void>;
};

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (durationMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, durationMs);
      signal?.addEventListener('abort', done, { once: true });
    }),
};

/** Identifiers and randomness are a tool, so that a simulation can seed them. */
export type Ids = {
  readonly uuid: () => string;
  readonly bytes: (count: number) => Buffer;
  /** Letters and digits only; at least `bits` random bits. */
  readonly token: (bits: number) => string;
};

const poolBytes = 16_384;
const base32 = '0123456789abcdefghjkmnpqrstvwxyz';

export const randomIds = (): Ids => {
  const pool = Buffer.alloc(poolBytes);
  let used = poolBytes;
  // One system call fills many identifiers: randomness was 4 % of a request's CPU.
  const take = (count: number): Buffer => {
    if (count > poolBytes) return randomBytes(count);
    if (used + count > poolBytes) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = Buffer.from(pool.subarray(used, used + count));
    used += count;
    return bytes;
  };
  return {
    uuid: () => uuidFromBytes(take(16)),
    bytes: take,
    token: (bits) => [...take(Math.ceil(bits / 5))].map((byte) => base32[byte & 31]).join(''),
  };
};

const uuidFromBytes = (bytes: Buffer): string => {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
