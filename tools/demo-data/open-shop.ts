import { callFlorin, type Florin, Refusal } from './call-florin.ts';
import { type Customer, openCustomers } from './open-customers.ts';
import { openReceiver, type Receiver } from './open-receiver.ts';
import { type OperatorAccess, openStores } from './open-stores.ts';

export type Shop = {
  readonly florin: Florin;
  readonly storeIds: readonly string[];
  readonly customers: readonly Customer[];
  readonly receiver: Receiver;
  /** The endpoint stays with what it was sent, paused: its receiver closes with this program. */
  readonly close: () => Promise<void>;
};

const customerCount = 40;
const endpointName = 'Demo data: the shop';
const events = ['PAYMENTS_STATUS', 'EXPIRED_STATUS', 'REFUND_STATUS'];

/** All that trade needs: tips, stores, customers, a receiver of webhooks. What is there is used again. */
export const openShop = async (florin: Florin, operator: OperatorAccess): Promise<Shop> => {
  await callFlorin(florin, 'POST', '/api/sandbox/tips', {
    body: { enabled: true, tipType: 'PERCENTAGE', options: [5, 10, 15], allowCustom: true },
  });
  const stores = await openStores(florin, operator);
  const customers = await openCustomers(florin, customerCount);
  const { receiver, endpointId } = await openEndpoint(florin);
  const setStatus = (status: string) =>
    callFlorin(florin, 'POST', `/api/sandbox/webhook/endpoints/${endpointId}/status`, {
      body: { status },
    });
  await setStatus('ACTIVE');
  return {
    florin,
    storeIds: stores.map(({ id }) => id),
    customers,
    receiver,
    close: async () => {
      await setStatus('PAUSED').catch(() => undefined);
      await receiver.close();
    },
  };
};

type Endpoint = { readonly id: string; readonly url: string; readonly description: string | null };

const openEndpoint = async (
  florin: Florin,
): Promise<{ readonly receiver: Receiver; readonly endpointId: string }> => {
  const path = '/api/webhook/v2/endpoints';
  const { data } = await callFlorin(florin, 'GET', `${path}?size=50`);
  const known: Endpoint | undefined = data.find(
    ({ description }: Endpoint) => description === endpointName,
  );
  const receiver = await openReceiver(known ? Number(new URL(known.url).port) : 0).catch(() => {
    throw new Refusal(
      'PORT_IN_USE',
      `Another program uses the address ${known?.url} of the endpoint "${endpointName}". Is another ` +
        'npm run demo-data running? Otherwise delete that endpoint, then start again.',
    );
  });
  if (known) return { receiver, endpointId: known.id };
  const made = await callFlorin(florin, 'POST', path, {
    body: { url: receiver.url, events, description: endpointName },
  });
  return { receiver, endpointId: made.id };
};
