import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';

/** Nothing was tried: the same Idempotency-Key works once the merchant is resumed. */
export const merchantSuspended = (message?: string): Failure =>
  new Failure(failures.merchantSuspended, { isUntried: true, ...(message ? { message } : {}) });
