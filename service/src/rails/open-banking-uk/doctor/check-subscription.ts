import type { Bank } from '../bank/bank.ts';
import { callbackUrlAt } from '../events/callback-url-at.ts';
import { readSubscription } from '../events/read-subscription.ts';
import type { findingsOf } from './finding.ts';

const check = 'notifications';

/** Whether the bank tells us what changes. Without it payments are polled, so nothing is a fault. */
export const checkSubscription = async (
  bank: Bank,
  baseUrl: string | null,
  found: ReturnType<typeof findingsOf>,
): Promise<void> => {
  const read = await readSubscription(bank);
  if (read.kind === 'NOT_READ')
    return found.warn(
      check,
      `the subscription cannot be read: ${read.why}`,
      'Compare eventsUrl with the portal of the bank, or leave it out: payments are polled.',
    );
  const { subscription } = read;
  if (subscription === null)
    return found.warn(
      check,
      'there is no subscription',
      'Start the worker with PUBLIC_URL: it subscribes at once.',
    );
  const leadsTo = subscription.callbackUrl ?? 'no address';
  if (baseUrl !== null && leadsTo !== callbackUrlAt(bank.profile, baseUrl))
    return found.warn(
      check,
      `they are sent to ${leadsTo}`,
      'Start the worker with the PUBLIC_URL of this installation: it changes the address.',
    );
  found.ok(check, `they are sent to ${leadsTo}`);
};
