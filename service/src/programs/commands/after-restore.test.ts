import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CardAccounts,
  openCardAccounts,
} from '../../../../test/harness/open-card-accounts.ts';
import { testBankAccounts } from '../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { setCardAccount } from '../../modules/cards/index.ts';
import { fence } from '../../modules/cells/store/carry-rows.ts';
import { createMerchant } from '../../modules/merchants/index.ts';
import { isElsewhere } from '../../platform/database/database-unavailable.ts';
import { followProcessors } from './after-restore.ts';

let accounts: CardAccounts;
beforeAll(async () => {
  accounts = await openCardAccounts();
});
afterAll(() => accounts.close());

/** As a move does, once the merchant is served in the other cell. */
const close = async (merchantId: string) => {
  const client = new pg.Client({
    connectionString: accounts.sandbox.databaseUrl,
    options: '-c search_path=florin',
  });
  await client.connect();
  await client.query(
    `with other as (
       insert into cell (cell_id, address) values (gen_random_uuid(), 'http://127.0.0.1:9') returning cell_id
     )
     insert into cell_move (merchant_id, move_id, version, status, other_cell_id, moved_by)
     select $1, gen_random_uuid(), 2, 'GONE', cell_id, 'a test' from other`,
    [merchantId],
  );
  await fence(client, merchantId);
  await client.end();
};

test('a business that is in another cell is left out, and those after it are followed', async () => {
  const { sandbox, keys, second, use } = accounts;
  const { tools, tenant, rails } = sandbox;
  const { merchantId: next } = await createMerchant(tools, {
    businessName: 'Next Door',
    bankAccounts: testBankAccounts,
  });
  await use('acct_second');
  await setCardAccount(tools, { ...tenant, merchantId: next }, keys.acct_second);
  const card = await second.saveCard('4000000000000127');
  const paid = await second.charged(card);
  await second.until(async () => (await second.status(paid)).status === 'COMPLETED');
  await close(tenant.merchantId);
  await waitUntil(() => rails.cardRails.listOwn(tenant).then(() => false, isElsewhere));
  const said: string[] = [];
  const written = {
    settings: {},
    write: async (text: string) => void said.push(text),
    writeError: () => undefined,
    actor: 'a test',
  };
  const hourAgo = new Date(tools.clock.now().getTime() - 3_600_000);
  await followProcessors({ ...tools, ...written }, rails, hourAgo);
  expect(said.join('')).toContain(
    `${tenant.merchantId}: it is in another cell, or may be: nothing is followed here\n`,
  );
  expect(said.join('')).toMatch(
    new RegExp(`${next} acct_second: [1-9]\\d* events of the card processor followed`),
  );
  expect(said.join('')).not.toContain(`${tenant.merchantId} acct`);
});
