import { callFlorin, type Florin } from './call-florin.ts';
import { shopNames } from './shop-names.ts';

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
export const openCustomers = async (florin: Florin, count: number): Promise<readonly Customer[]> =>
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
