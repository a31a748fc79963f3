import {
  listBankHealth,
  getPaymentRecord as recordOperation,
  recordPaymentOutcome,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { showBankHealth } from './bank/show-bank-health.ts';
import type { BankRails } from './core/bank-rails.ts';
import { findAttempt } from './core/payment.ts';
import { getPaymentRecord } from './get-payment-record.ts';
import { recordOperatorOutcome } from './record-operator-outcome.ts';

export const operatorRoutes = (
  tools: Uses<'database' | 'ids' | 'secrets' | 'wakeDispatcher'> & {
    readonly bankRails: BankRails;
  },
): readonly Route[] => [
  operatorRoute(listBankHealth, async ({ params }) =>
    showBankHealth(tools.bankRails, params.environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION'),
  ),
  operatorRoute(recordOperation, ({ params }) =>
    getPaymentRecord(tools, tenantIn(params), params.paymentRequestId),
  ),
  operatorRoute(recordPaymentOutcome, async ({ params, body }, { name }) => {
    const { paymentRequestId, attemptId } = params;
    const tenant = tenantIn(params);
    const found = { ...body, actor: name };
    const after = await recordOperatorOutcome(tools, tenant, paymentRequestId, attemptId, found);
    const { status: attemptStatus = '' } = findAttempt(after, attemptId) ?? {};
    return { paymentRequestId, attemptId, status: after.status, attemptStatus };
  }),
];

type TenantParams = { readonly merchantId: string; readonly environment: 'sandbox' | 'production' };

const tenantIn = ({ merchantId, environment }: TenantParams): Tenant => ({
  merchantId,
  environment: environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION',
});
