import { failures, limits } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { addressKey } from './open-buckets.ts';

const retryAfterSeconds = 30;

/** Takes one of the event streams that an address, or a merchant, may have open; the answer gives it back. */
export type StreamSlots = (opener: string) => () => void;

export const streamSlots = (max: number = limits.streamsPerAddress): StreamSlots => {
  const open = new Map<string, number>();
  return (opener) => {
    const key = addressKey(opener);
    const count = open.get(key) ?? 0;
    if (count >= max) throw new Failure(failures.rateLimited, { retryAfterSeconds });
    open.set(key, count + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    };
  };
};

/** As many as anyone likes. */
export const freeSlots: StreamSlots = () => () => undefined;
