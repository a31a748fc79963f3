import { type BodyOf, failures } from '@florin/contract';
import {
  setStoreAccount as accountOperation,
  changeStore as changeOperation,
  createStore as createOperation,
  listOwnStores as listOperation,
  type setStoreAccount as operation,
} from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import {
  changeStore,
  createOwnStore,
  listOwnStores,
  maskedAccountNumber,
  maskedSortCode,
  merchantSuspended,
  requireBankAccount,
  unknownOwnStore,
} from '#modules/merchants/index.ts';
import { fillPayouts } from '#modules/payouts/index.ts';
import { readTurn } from '#modules/transfers/index.ts';
import { type Caller, type Member, memberOf, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { setAccount } from './store/settings.ts';

const maxTries = 20;

const accountIsHeld =
  'The operator has suspended this business: where its money goes stays as it is. ' +
  'Contact the operator, who can resume it; then change the account.';

/** Records the change and writes to the owners in the statement that makes it (DASHBOARD-49). */
export const setStoreAccount = async (
  tools: Uses<'database' | 'ids'>,
  { tenant }: Pick<Caller, 'tenant'>,
  person: Pick<Member, 'personId' | 'name'>,
  storeId: string,
  account: BodyOf<typeof operation>,
): Promise<boolean> => {
  requireBankAccount(account);
  const { sortCode, accountNumber, name: accountName } = account;
  const values = {
    ...{ ...tenant, storeId, changeId: tools.ids.uuid() },
    ...{ personId: person.personId, personName: person.name },
    ...{ sortCode, accountNumber, accountName },
    mailKind: 'STORE_ACCOUNT_CHANGED',
    mailSubject: 'The bank account of a store was changed',
    mailText: mailText(tenant.environment, person.name, account),
  };
  for (let round = 0; round < maxTries; round += 1) {
    const [turn] = await tools.database.tenant(tenant.merchantId, readTurn, tenant);
    const turnVersion = turn?.version ?? 0;
    // People who own the merchant are read for the mail, so this runs as the system.
    const [row] = await tools.database.system(setAccount, { ...values, turnVersion });
    if (!row) throw unknownOwnStore();
    if (row.is_suspended) throw merchantSuspended(accountIsHeld);
    if (row.is_decided) return row.is_changed;
    await fillPayouts(tools, tenant);
  }
  throw new Failure(failures.unavailable, {
    message: 'Money of this store is just leaving. Try again.',
    retryAfterSeconds: 1,
  });
};

const mailText = (
  environment: string,
  personName: string,
  { sortCode, accountNumber, name }: BodyOf<typeof operation>,
): string => `${personName} changed the bank account of the store {store} (${environment.toLowerCase()}).

Money of this store now goes to ${name}, account ${maskedAccountNumber(accountNumber)}, sort code
${maskedSortCode(sortCode)}. A payout that was open already still goes to the account before.

If your team did not mean this: change the account back in the dashboard under Settings, Stores, end
the sessions of the person there, and write to the operator of your payments.
`;

/** DASHBOARD-49. */
export const storeRoutes = (tools: Uses<'database' | 'ids'>): readonly Route[] => [
  route(listOperation, ({ query }, { tenant }) => listOwnStores(tools, tenant, query)),
  route(createOperation, async ({ body, decideOnce }, { tenant }) => ({
    storeId: await createOwnStore(tools, tenant, body, decideOnce),
  })),
  route(changeOperation, async ({ params: { storeId }, body }, { tenant }) => {
    await changeStore(tools, tenant, storeId, body);
    return { storeId };
  }),
  route(accountOperation, async ({ params: { storeId }, body }, caller) => {
    const isChanged = await setStoreAccount(tools, caller, memberOf(caller), storeId, body);
    return { storeId, isChanged };
  }),
];
