import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callFlorin, type Florin, Refusal } from './call-florin.ts';
import { shopNames } from './shop-names.ts';

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

export type OperatorAccess = {
  readonly merchantId: string;
  /** Lends a secret of the operator API, and revokes it afterwards. */
  readonly withSecret: <Result>(use: (secret: string) => Promise<Result>) => Promise<Result>;
};

type Store = { readonly id: string; readonly locationName: string };

const bankAccount = { sortCode: '180002', accountNumber: '00000190', name: 'Demo Coffee Roasters' };

/** The stores of the merchant, after those that are missing were made. Only the operator makes stores. */
export const openStores = async (
  florin: Florin,
  { merchantId, withSecret }: OperatorAccess,
): Promise<readonly Store[]> => {
  const known = new Set((await listStores(florin)).map(({ locationName }) => locationName));
  const missing = shopNames.stores.filter(({ locationName }) => !known.has(locationName));
  if (missing.length > 0)
    await withSecret(async (secret) => {
      const path = `/api/operator/merchants/${merchantId}/sandbox/stores`;
      for (const store of missing)
        await callFlorin({ ...florin, secret }, 'POST', path, { body: { ...store, bankAccount } });
    });
  return listStores(florin);
};

const listStores = async (florin: Florin): Promise<readonly Store[]> => {
  const { data } = await callFlorin(florin, 'GET', '/api/payments/stores?size=100');
  return data;
};

export type Customer = {
  readonly id: string;
  readonly fullName: string;
  readonly email: string;
};

const towns = [
  { city: 'Bristol', postcode: 'BS1 4ZZ' },
  { city: 'Leeds', postcode: 'LS2 7ZZ' },
  { city: 'York', postcode: 'YO1 9ZZ' },
];

/** The customers of the shop by their e-mail addresses: found, or made. */
const openCustomers = async (florin: Florin, count: number): Promise<readonly Customer[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const customer = describeCustomer(index);
      const search = encodeURIComponent(customer.email);
      const found = await callFlorin(florin, 'GET', `/api/customers?search=${search}`);
      return (
        found.data.find(({ email }: Customer) => email === customer.email) ??
        callFlorin(florin, 'POST', '/api/customers', { body: customer })
      );
    }),
  );

const businessEvery = 8;

const describeCustomer = (index: number) => {
  const { firstNames, lastNames } = shopNames;
  const first = firstNames[index % firstNames.length] ?? '';
  const last =
    lastNames[(index * 7 + Math.floor(index / firstNames.length)) % lastNames.length] ?? '';
  const isBusiness = index % businessEvery === businessEvery - 1;
  return {
    fullName: isBusiness ? `${last} & ${first} Ltd` : `${first} ${last}`,
    email: `${first}.${last}.${index + 1}@example.com`.toLowerCase(),
    type: isBusiness ? 'BUSINESS' : 'INDIVIDUAL',
    // Numbers that are set aside for fiction.
    phoneCountryCode: '44',
    phoneNumber: `7700900${String(index).padStart(3, '0')}`,
    ...towns[index % towns.length],
    ...(isBusiness ? { vatNumber: `GB${900_000_000 + index}` } : {}),
  };
};

/** The shop's own receiver of webhooks, which can be out of order for a while. */
export type Receiver = {
  readonly url: string;
  readonly setDown: (isDown: boolean) => void;
  readonly close: () => Promise<void>;
};

/** On the port of an earlier run, so that its endpoint goes on; 0 is any. */
const openReceiver = async (port: number): Promise<Receiver> => {
  let isDown = false;
  const server = createServer((request, reply) => {
    request.resume();
    reply.statusCode = isDown ? 503 : 200;
    reply.end(isDown ? 'The shop is being updated.' : 'ok');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: open } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${open}/florin`,
    setDown: (value) => {
      isDown = value;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
