import { failures, limits } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { addressKey } from './open-buckets.ts';

const retryAfterSeconds = 30;

/** Takes one of the event streams that an address may have open; the answer gives it back. */
export type StreamSlots = (address: string) => () => void;

export const streamSlots = (maxPerAddress: number = limits.streamsPerAddress): StreamSlots => {
  const open = new Map<string, number>();
  return (address) => {
    const key = addressKey(address);
    const count = open.get(key) ?? 0;
    if (count >= maxPerAddress) throw new Failure(failures.rateLimited, { retryAfterSeconds });
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
