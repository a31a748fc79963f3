import type { CardCustomerOrder, CardCustomerOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import type { Answer } from '../account/call-processor.ts';
import { callProcessor } from '../account/call-processor.ts';
import { unanswered } from '../account/unknown.ts';
import { declineOf } from '../outcomes/decline.ts';

/** The customer of the cards at the processor. Two for one customer do no harm. */
export const createCustomer = async (
  account: Account,
  order: CardCustomerOrder,
): Promise<CardCustomerOutcome> => {
  const usual = `${order.customerId}:customer`;
  const first = await create(account, order, usual);
  // A failure is repeated for a day, and so is the refusal of a name that changed since.
  const answer = isStuck(first)
    ? await create(account, order, `${usual}:${account.tools.ids.token(80)}`)
    : first;
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'ANSWER') return { kind: 'CREATED', customerReference: answer.value.id };
  const { code, description } = declineOf(answer, 'PROCESSOR_REFUSED');
  return { kind: 'REFUSED', code, description };
};

const isStuck = (answer: Answer<unknown>): boolean =>
  answer.kind === 'NOTHING' && (answer.isReplayed || answer.why === 'status 400');

const create = (account: Account, order: CardCustomerOrder, idempotencyKey: string) =>
  callProcessor(account, { operation: 'create customer', subject: order.customerId }, (stripe) =>
    stripe.customers.create(
      {
        metadata: { customerId: order.customerId },
        ...(order.name && { name: order.name }),
        ...(order.email && { email: order.email }),
      },
      { idempotencyKey },
    ),
  );
