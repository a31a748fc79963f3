import { limits } from '@florin/contract';
import { setBounded } from '#kernel/set-bounded.ts';
import type { Uses } from '#platform/tools.ts';

const maxPeople = 10_000;

/** Whether one more call of a person for a business that is not theirs is recorded: some in a while. */
export const limitStrangers = ({ clock }: Uses<'clock'>) => {
  const windows = new Map<string, { calls: number; readonly endsAtMs: number }>();
  return (personId: string): boolean => {
    const nowMs = clock.now().getTime();
    const known = windows.get(personId);
    const isOver = !known || known.endsAtMs <= nowMs;
    const window = isOver ? { calls: 0, endsAtMs: nowMs + limits.strangerWindowMs } : known;
    window.calls += 1;
    setBounded(windows, personId, window, maxPeople);
    return window.calls <= limits.strangerRecordsMax;
  };
};
