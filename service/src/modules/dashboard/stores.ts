import { type BodyOf, failures } from '@florin/contract';
import {
  setStoreAccount as accountOperation,
  changeStore as changeOperation,
  createStore as createOperation,
  listOwnStores as listOperation,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import {
  changeAccountCtes,
  changeStore,
  createOwnStore,
  listOwnStores,
  maskedAccountNumber,
  maskedSortCode,
  merchantSuspended,
  requireBankAccount,
  shownStoreNameSql,
  unknownOwnStore,
} from '#modules/merchants/index.ts';
import { fillPayouts } from '#modules/payouts/index.ts';
import { isUnattachedSql, readTurn } from '#modules/transfers/index.ts';
import { mailOwnersCtes } from '#modules/webhooks/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Caller, type Member, memberOf, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

const maxTries = 20;

const accountIsHeld =
  'The operator has suspended this business: where its money goes stays as it is. ' +
  'Contact the operator, who can resume it; then change the account.';

/**
 * No row: there is no such store. Not decided: a refund that was handed over is no line of a payout yet, or
 * another is just handed over. It is paid by the account before, so it becomes a line of its payout first.
 */
const setAccount = statement<
  Tenant & {
    readonly storeId: string;
    readonly changeId: string;
    readonly turnVersion: number;
    readonly personId: string;
    readonly personName: string;
    readonly sortCode: string;
    readonly accountNumber: string;
    readonly accountName: string;
    readonly mailKind: string;
    readonly mailSubject: string;
    readonly mailText: string;
  },
  {
    readonly is_changed: boolean;
    readonly is_decided: boolean;
    readonly is_suspended: boolean;
  }
>(
  'dashboard_store_account_set',
  sql('merchantId', 'environment', 'storeId', 'changeId', 'turnVersion', 'mailText')`
   with stopped as materialized (
     select from merchant_switch where merchant_id = :merchantId and environment = :environment
       and suspension_id is not null),
   turn as (
     update outgoing_turn set version = version + 1
     where merchant_id = :merchantId and environment = :environment
       and version = :turnVersion::int
       and not exists (select from stopped)
       and exists (select from store where merchant_id = :merchantId
         and environment = :environment and store_id = :storeId::uuid)
     returning version),
   may_change as materialized (
     select version from turn
     where not exists (select from ledger_entry e where ${isUnattachedSql}
       and e.reason = 'REFUND_HANDED_OVER' and e.store_id = :storeId::uuid)),
   ${changeAccountCtes},
   mail as (
     select :changeId::text as key, replace(:mailText::text, '{store}', ${shownStoreNameSql('s')}) as text
     from account_changed c
     join store s on s.merchant_id = :merchantId and s.environment = :environment
       and s.store_id = c.store_id),
   ${mailOwnersCtes}
   select exists (select from account_changed) as is_changed,
     exists (select from may_change) as is_decided,
     exists (select from stopped) as is_suspended from store
   where merchant_id = :merchantId and environment = :environment and store_id = :storeId::uuid`,
  {
    guardedBy:
      'the version of the turn of outgoing money; the row of the account is locked; one that it has ' +
      'already changes nothing',
  },
);

/** Records the change and writes to the owners in the statement that makes it (DASHBOARD-49). */
export const setStoreAccount = async (
  tools: Uses<'database' | 'ids'>,
  { tenant }: Pick<Caller, 'tenant'>,
  person: Pick<Member, 'personId' | 'name'>,
  storeId: string,
  account: BodyOf<typeof accountOperation>,
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
  { sortCode, accountNumber, name }: BodyOf<typeof accountOperation>,
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
