import { callFlorin, type Florin } from './call-florin.ts';
import { shopNames } from './shop-names.ts';

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
