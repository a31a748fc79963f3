import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCases } from '../../../service/src/modules/operator-cases/index.ts';
import { type OperatorService, openOperator } from './open-operator.ts';

let service: OperatorService;
beforeAll(async () => {
  service = await openOperator();
});
afterAll(() => service.close());

test('a case is found by its order, and by a part of the business name', async () => {
  const { merchantId } = service.merchant;
  const subject = service.tools.ids.uuid();
  const tenant = { merchantId, environment: 'SANDBOX' } as const;
  const about = { kind: 'DISPUTE_LOST', description: 'A dispute was lost.' } as const;
  await openCases(service.tools, [{ tenant, subject, ...about, evidence: { orderId: 'INV-7' } }]);
  const found = async (search: string) => {
    const { body } = await service.operate('GET', `/cases?search=${encodeURIComponent(search)}`);
    return [
      body.totalCount,
      body.data.some((each: { subject: string }) => each.subject === subject),
    ];
  };
  expect(await found('INV-7')).toEqual([1, true]);
  expect(await found(subject)).toEqual([1, true]);
  expect((await found('ORNER coff'))[1]).toBe(true);
  expect(await found('INV-8')).toEqual([0, false]);
});
