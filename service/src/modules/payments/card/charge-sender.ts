import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardRail } from '#rails/card-rail.ts';
import { type RecordTools, recordCardOutcome } from './outcomes.ts';

export type ChargeSender = {
  /** Returns at once. */
  readonly send: (charge: ChargeToSend) => void;
  /** Waits for charges in flight. */
  readonly drain: () => Promise<void>;
};

// A call takes at most half a minute; a charge that waited longer is left to the job that polls.
const startedWithinMs = 20_000;
const batchSize = 64;

/**
 * Sends charges that this process has just committed. It is only faster than the job that polls
 * open charges: a charge lost with the process is found by that job when its lease is over.
 */
export const chargeSender = (tools: RecordTools & Uses<'clock'>): ChargeSender => {
  const waiting: (ChargeToSend & { readonly sinceMs: number })[] = [];
  const running = new Set<Promise<void>>();
  const nowMs = () => tools.clock.now().getTime();
  const fill = (): void => {
    while (running.size < batchSize) {
      const next = waiting.shift();
      if (!next) return;
      if (nowMs() - next.sinceMs > startedWithinMs) continue;
      const run = sendOne(tools, next).finally(() => {
        running.delete(run);
        fill();
      });
      running.add(run);
    }
  };
  return {
    send: (charge) => {
      waiting.push({ ...charge, sinceMs: nowMs() });
      fill();
    },
    drain: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
};

const sendOne = async (tools: RecordTools, charge: ChargeToSend): Promise<void> => {
  const { rail, attemptId, paymentRequestId } = charge;
  try {
    const outcome = await rail.charge(charge.railState);
    await recordCardOutcome(tools, charge, attemptId, outcome);
  } catch (error) {
    const { message } = error as Error;
    tools.log.warn(
      { paymentRequestId, attemptId, error: message },
      'a charge will be polled later',
    );
  }
};

/** Until then no other worker polls a charge: the row is inserted with this lease. */
export const chargeLeaseMs = 60_000;

type ChargeToSend = {
  readonly rail: CardRail;
  readonly tenant: Tenant;
  readonly paymentRequestId: string;
  readonly attemptId: string;
  readonly railState: string;
};
