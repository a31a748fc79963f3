import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { type Change, draftChange } from './draft-change.ts';
import type { Payment } from './payment.ts';
import { type Announced, commitChange } from './store/commit-change.ts';
import { loadPayment } from './store/load-payment.ts';

// Of concurrent changes of a payment one wins each round, so as many rounds suffice as there are
// contenders. The outcome of a call that was made must not be lost.
const maxTries = 50;

type ChangeTools = Uses<'database' | 'wakeDispatcher'> & Partial<Uses<'workAhead'>>;

/**
 * One read, one decision, one guarded statement. `decide` is pure: it fills the draft and says
 * whether there is anything to write. After a lost race it decides again on the new state.
 */
export const changePayment = async (
  tools: ChangeTools,
  tenant: Tenant,
  paymentRequestId: string,
  decide: (payment: Payment, change: Change) => boolean,
): Promise<Payment> => {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const payment = await loadPayment(tools.database, tenant, paymentRequestId);
    if (!payment) throw new Failure(failures.notFound);
    const change = draftChange(payment);
    if (!decide(payment, change)) return payment;
    if (await commitAndDeliver(tools, change)) return change.payment;
  }
  throw new Failure(failures.unavailable, {
    message: 'The payment keeps changing. Read its status, then retry.',
    retryAfterSeconds: 1,
  });
};

/** What this program delivers at once is claimed by the same statement (EVENT-5). */
const commitAndDeliver = async (tools: ChangeTools, change: Change): Promise<boolean> => {
  const { events, payment } = change;
  const claim =
    events.length > 0 ? tools.workAhead?.claimDeliveries(payment.tenant, events.length) : null;
  let announced: Announced | null = null;
  try {
    const claimedFor = claim ?? undefined;
    const claiming = claim ? events.map((event) => ({ ...event, claimedFor })) : events;
    announced = await commitChange(tools.database, { ...change, events: claiming });
  } finally {
    claim?.deliver(announced?.claimed ?? []);
  }
  if (announced) tools.wakeDispatcher(announced.endpoints);
  return announced !== null;
};
