import { callFlorin, type Florin } from './call-florin.ts';

const redirectUrl = 'http://127.0.0.1/linked';
const links = [
  // The shop's own account, so that payouts are found on its statement.
  {
    institutionId: 'emberly-sandbox',
    account: { sortCode: '180002', accountNumber: '00000190' },
  },
  { institutionId: 'mock-sandbox-v1' },
  { institutionId: 'harbour-sandbox', outcome: 'CANCELLED' },
];

/** The bank accounts of the shop, one of a customer, and a link that the customer left. */
export const linkAccounts = async (florin: Florin): Promise<void> => {
  for (const link of links) {
    const { accountAuthId } = await callFlorin(florin, 'POST', '/api/bank/auth/initiate', {
      body: { redirectUrl },
    });
    const path = `/api/sandbox/bank/auth/${accountAuthId}/link`;
    await callFlorin(florin, 'POST', path, { body: link });
  }
};

/** A bank's consent lasts ninety days. */
export const linkEveryDays = 80;
