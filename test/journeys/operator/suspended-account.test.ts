import { afterAll, beforeAll, expect, test } from 'vitest';
import { setRefundApproval, setStoreAccount } from '../../../contract/dashboard/index.ts';
import { memberRoutes } from '../../../service/src/modules/dashboard/index.ts';
import { memberCalls } from '../../../service/src/modules/dashboard/test/member-calls.ts';
import { signIn } from '../../harness/dashboard/sign-in.ts';
import { type OperatorService, openOperator } from './open-operator.ts';

let service: OperatorService;
beforeAll(async () => {
  service = await openOperator((tools) =>
    memberRoutes({ ...tools, forgetSecret: () => undefined }),
  );
});
afterAll(() => service.close());

const turn = async (merchantId: string): Promise<number | null> => {
  const [row] = await service.database.system<{ id: string }, { version: number }>(
    {
      name: 'test_turn',
      text: `select version from outgoing_turn where merchant_id = $1::uuid and environment = 'SANDBOX'`,
      valueNames: ['id'],
    },
    { id: merchantId },
  );
  return row?.version ?? null;
};

test('of a suspended merchant no member moves where money goes, until it is resumed', async () => {
  const { merchantId, storeIds } = service.merchant;
  const call = memberCalls(service, (await signIn(service.tools, { merchantId })).headers);
  const account = { sortCode: '107999', accountNumber: '88837491', name: 'Eve' };
  const params = { storeId: storeIds.SANDBOX };
  const moved = () => call(setStoreAccount, { params, body: account });
  const unguarded = () => call(setRefundApproval, { body: { refundApprovalAbove: null } });
  const path = `/merchants/${merchantId}/sandbox/suspension`;
  await service.operate('PUT', path, { reason: 'Taken over' });
  for (const { status, body } of [await moved(), await unguarded()])
    expect([status, body.name]).toEqual([403, 'MERCHANT_SUSPENDED']);
  const before = await turn(merchantId);
  expect((await moved()).body.message).toContain('Contact the operator');
  expect(await turn(merchantId)).toBe(before);
  await service.operate('DELETE', path);
  expect((await moved()).body).toEqual({ ...params, isChanged: true });
  expect((await unguarded()).status).toBe(200);
});
