import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as dashboard from '../../../../contract/dashboard/index.ts';
import { signIn } from '../../../../test/harness/dashboard/sign-in.ts';
import type { TestReply } from '../../../../test/harness/open-test-service.ts';
import { sql } from '../../platform/database/sql.ts';
import { statement } from '../../platform/database/statement.ts';
import { type MemberPages, openMemberPages } from './test/open-member-pages.ts';

let members: MemberPages;
beforeAll(async () => {
  members = await openMemberPages();
});
afterAll(() => members.close());

const { changeLimits, changeSettings, getSettings } = dashboard;

const forgetProof = statement<{ readonly personId: string }, never>(
  'test_proof_forget',
  sql('personId')`update person set email_verified = false where person_id = :personId::uuid`,
);

const readMerchant = statement<{ readonly merchantId: string }, Readonly<Record<string, unknown>>>(
  'test_merchant_read',
  sql('merchantId')`select * from merchant where merchant_id = :merchantId::uuid`,
);
const merchantRow = async () => {
  const { merchantId } = members.merchant;
  const [row] = await members.database.system(readMerchant, { merchantId });
  return row ?? {};
};

test('members that the operation does not declare change nothing', async () => {
  const before = await merchantRow();
  const foreign = { paymentLimit: 1_000_000, completedAtSettlement: true, categoryCode: '7995' };
  const body = { businessName: 'Corner Tea', ...foreign };
  const changed = await members.call(changeSettings, { body });
  expect(changed.body).toMatchObject({ businessName: 'Corner Tea', paymentLimit: 15_000 });
  expect(await merchantRow()).toEqual({ ...before, business_name: 'Corner Tea' });
});

test('a name is one line', async () => {
  for (const businessName of [
    'Corner\nCoffee',
    'Corner\r\nBcc: x',
    'Tab\there',
    'Line\u2028two',
    ' ',
  ]) {
    const { status, body } = await members.call(changeSettings, { body: { businessName } });
    expect([status, body.errors[0]?.field]).toEqual([400, 'businessName']);
  }
});

describe('what both environments share is changed in the sandbox', () => {
  const merchantId = () => members.merchant.merchantId;
  const name = { businessName: 'Corner Coffee' };
  const shown = ({ status, body }: TestReply) => [status, body.name];
  const unproven = async (to: string) => {
    const person = await signIn(members.tools, { merchantId: to, role: 'manager' });
    await members.database.system(forgetProof, { personId: person.personId });
    return person.headers;
  };

  test('by an address that is proven', async () => {
    const headers = await unproven(merchantId());
    const before = await merchantRow();
    const calls = [
      members.call(changeSettings, { headers, body: name }),
      members.call(changeLimits, { headers, body: { paymentLimit: 10 } }),
    ];
    for (const reply of await Promise.all(calls))
      expect(shown(reply)).toEqual([403, 'ADDRESS_NOT_PROVEN']);
    expect(await merchantRow()).toEqual(before);
    expect((await members.call(getSettings, { headers })).status).toBe(200);
  });

  test('by who works in production, if anybody of the business does', async () => {
    const guest = { role: 'manager', inProduction: false } as const;
    const here = await signIn(members.tools, { merchantId: merchantId(), ...guest });
    const refused = await members.call(changeSettings, { headers: here.headers, body: name });
    expect(shown(refused)).toEqual([403, 'NOT_PERMITTED']);
    const other = (await members.newMerchant()).merchantId;
    const { headers } = await signIn(members.tools, { merchantId: other, ...guest });
    const own = await members.call(changeSettings, { merchantId: other, headers, body: name });
    expect(own.status).toBe(200);
  });
});
