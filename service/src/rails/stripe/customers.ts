import type {
  CardCustomerOrder,
  CardCustomerOutcome,
  DeleteCustomerOutcome,
  DetachOutcome,
} from '#rails/card-rail.ts';
import { type Account, type Answer, callProcessor, unanswered } from './account/call-processor.ts';
import { declineOf } from './outcomes/decline.ts';

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

/** After any refusal the card itself shows whether it still belongs to a customer. */
export const detachCard = async (
  account: Account,
  cardReference: string,
): Promise<DetachOutcome> => {
  const call = { operation: 'detach card', subject: cardReference };
  const answer = await callProcessor(account, call, (stripe) =>
    stripe.paymentMethods.detach(cardReference),
  );
  if (answer.kind === 'ANSWER') return { kind: 'DETACHED' };
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  const card = await callProcessor(account, { ...call, operation: 'read card' }, (stripe) =>
    stripe.paymentMethods.retrieve(cardReference),
  );
  if (card.kind === 'NOTHING') return unanswered(card.why);
  const isGone =
    card.kind === 'ANSWER' ? card.value.customer === null : card.code === 'resource_missing';
  if (isGone) return { kind: 'DETACHED' };
  return { kind: 'REFUSED', code: answer.code, description: stillAttached };
};

const stillAttached = 'The card processor did not detach the card.';

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
