import type { OwnPoll, OwnPolls } from '#platform/work-ahead.ts';

const maxWaiting = 500;
const lookAgainMs = 50;

type OwnCalls = {
  /** As many calls of this bank are running as may. */
  readonly isBusy: (poll: OwnPoll) => boolean;
  readonly poll: (poll: OwnPoll) => Promise<unknown>;
  readonly release: (polls: readonly OwnPoll[]) => Promise<void>;
};

/** The next polls that are leased to this program, each with its timer. */
export const openOwnPolls = ({ isBusy, poll, release }: OwnCalls) => {
  const waiting = new Map<OwnPoll, NodeJS.Timeout>();
  let isStopped = false;
  const plan = (own: OwnPoll, inMs: number): void => {
    const run = (): void => {
      waiting.delete(own);
      if (isBusy(own)) plan(own, lookAgainMs);
      // One that cannot even be noted as failed is claimed when its lease is over.
      else void poll(own).catch(() => undefined);
    };
    waiting.set(own, setTimeout(run, inMs));
  };
  const own: OwnPolls = {
    hasRoom: () => !isStopped && waiting.size < maxWaiting,
    schedule: (next) => {
      if (!isStopped) plan(next, next.inMs);
    },
  };
  return {
    ...own,
    /** Other workers need not wait for the end of the leases. */
    stop: async (): Promise<void> => {
      isStopped = true;
      for (const timer of waiting.values()) clearTimeout(timer);
      const left = [...waiting.keys()];
      waiting.clear();
      await release(left);
    },
  };
};
