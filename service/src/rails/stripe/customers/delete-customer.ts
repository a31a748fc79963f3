import type { DeleteCustomerOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import { callProcessor } from '../account/call-processor.ts';
import { unanswered } from '../account/unknown.ts';

/** Name and address are deleted too. A deleted customer is not found again. */
export const deleteCustomer = async (
  account: Account,
  customerReference: string,
): Promise<DeleteCustomerOutcome> => {
  const call = { operation: 'delete customer', subject: customerReference };
  const answer = await callProcessor(account, call, (stripe) =>
    stripe.customers.del(customerReference),
  );
  if (answer.kind === 'ANSWER') return { kind: 'DELETED' };
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.code === 'resource_missing') return { kind: 'DELETED' };
  return { kind: 'REFUSED', code: answer.code, description: stillThere };
};

const stillThere = 'The card processor did not delete the customer.';
