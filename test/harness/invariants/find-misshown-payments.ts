import { loadPayment } from '../../../service/src/modules/payments/index.ts';
import { readStatus } from '../../../service/src/modules/status/index.ts';
import type { Sandbox } from '../open-sandbox.ts';

type Paid = { readonly payment_request_id: string; readonly pence: bigint };

/**
 * Payments whose status shows other completed amounts than were paid, one sentence each: what is shown
 * as COMPLETED is the paid amount with its tips, in every state of the request.
 */
export const findMisshownPayments = async ({
  tools,
  rails,
  tenant,
}: Pick<Sandbox, 'tools' | 'rails' | 'tenant'>): Promise<readonly string[]> => {
  const rows = await tools.database.system<object, Paid>(
    {
      name: 'test_paid_with_tips',
      text: `select r.payment_request_id, r.paid_pence + coalesce((select sum(a.tip_pence)
          from attempt a where a.payment_request_id = r.payment_request_id
            and a.status = 'COMPLETED'), 0)::bigint as pence
        from payment_request r where r.merchant_id = $1::uuid and r.environment = $2`,
      valueNames: ['merchantId', 'environment'] as never,
    },
    tenant,
  );
  const found: string[] = [];
  for (const { payment_request_id: id, pence } of rows) {
    const payment = await loadPayment(tools.database, tenant, id);
    if (!payment) continue;
    const { status, transactionDetails } = await readStatus({ ...tools, ...rails }, payment, 'ALL');
    const shown = transactionDetails
      .filter(({ statusDetails }) => statusDetails?.status === 'COMPLETED')
      .reduce((sum, { paidAmount }) => sum + Math.round(paidAmount * 100), 0);
    if (BigInt(shown) !== pence)
      found.push(`STATUS-4 ${id} ${status} shows ${shown}, paid ${pence}`);
  }
  return found;
};
