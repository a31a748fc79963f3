import { expect, test } from 'vitest';
import { type ReportReceivers, reportTransfers, type TransferReport } from './report-transfers.ts';

const report = (
  subjectId: string,
  stage: TransferReport['stage'] = 'SETTLED',
  more: Partial<TransferReport> = {},
): TransferReport => ({
  tenant: { merchantId: 'one', environment: 'SANDBOX' },
  subject: 'REFUND',
  subjectId,
  endToEndId: `FLT ${subjectId}`,
  stage,
  reason: null,
  ...more,
});

/** What each call received, and the effects that a receiver answers. */
const recorded = () => {
  const calls: string[] = [];
  const receive =
    (name: string): ReportReceivers['REFUND'] =>
    async (tenant, reports) => {
      const received = reports.map(({ subjectId, stage }) => `${subjectId} ${stage}`);
      calls.push(`${name} of ${tenant.merchantId}: ${received.join(', ')}`);
      return reports.map(({ stage }) => (stage === 'RETURNED' ? 'LATE' : 'EXPECTED'));
    };
  return { calls, receivers: { REFUND: receive('refunds'), PAYOUT: receive('payouts') } };
};

test('reports of one merchant arrive together, those of another or of payouts apart', async () => {
  const { calls, receivers } = recorded();
  const other = { tenant: { merchantId: 'two', environment: 'SANDBOX' } } as const;
  const effects = await reportTransfers(receivers, [
    report('a'),
    report('b', 'SETTLED', other),
    report('c', 'RETURNED'),
    report('d', 'SETTLED', { subject: 'PAYOUT' }),
  ]);
  expect(calls).toEqual([
    'refunds of one: a SETTLED, c RETURNED',
    'refunds of two: b SETTLED',
    'payouts of one: d SETTLED',
  ]);
  expect([...effects].sort()).toEqual(['EXPECTED', 'EXPECTED', 'EXPECTED', 'LATE']);
});

test('of two reports about one transfer the first has its effect before the second', async () => {
  const { calls, receivers } = recorded();
  await reportTransfers(receivers, [report('a'), report('b'), report('a', 'RETURNED')]);
  expect(calls).toEqual(['refunds of one: a SETTLED, b SETTLED', 'refunds of one: a RETURNED']);
});

test('one call has at most a hundred', async () => {
  const { calls, receivers } = recorded();
  const many = Array.from({ length: 250 }, (_, each) => report(String(each)));
  expect(await reportTransfers(receivers, many)).toHaveLength(250);
  expect(calls.map((call) => call.split(', ').length)).toEqual([100, 100, 50]);
});

test('without a receiver a report is expected', async () => {
  expect(await reportTransfers({}, [report('a')])).toEqual(['EXPECTED']);
});
