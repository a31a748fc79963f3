import { openTestService } from '../../../../../test/harness/open-test-service.ts';
import { merchantRoutes as customerRoutes } from '../../customers/index.ts';
import { listCards, merchantRoutes, type SavedCard } from '../saved-cards.ts';
import { readDetachments } from './read-detachments.ts';
import { recordCardPayment } from './record-card-payment.ts';

export type CardsService = Awaited<ReturnType<typeof openCards>>;

/** Customers and their cards over HTTP, and the statement of a payment that saves one. */
export const openCards = async () => {
  const service = await openTestService({
    routes: (tools) => [...customerRoutes(tools), ...merchantRoutes(tools)],
  });
  let emails = 0;
  const newCustomer = async (secret = service.sandboxSecret): Promise<string> => {
    const body = { fullName: 'Ada Lovelace', email: `ada${++emails}@example.com` };
    return (await service.request('POST', '/api/customers', { body, secret })).body.id;
  };
  type Paid = Parameters<typeof recordCardPayment>[2];
  return {
    ...service,
    newCustomer,
    /** Records a payment of this customer in sandbox, with the details of the card. */
    pay: (customerId: string, paid: Partial<Paid> = {}, hasWon = true) =>
      recordCardPayment(service.tools, service.sandbox, { customerId, ...paid }, hasWon),
    cards: (customerId: string): Promise<readonly SavedCard[]> =>
      listCards(service.tools, service.sandbox, customerId),
    /** References to detach, in the order of the requests. */
    detachments: (customerId: string) =>
      readDetachments(service.tools, service.sandbox, customerId),
  };
};
