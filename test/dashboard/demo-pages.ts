import { createMerchant } from '../../service/src/modules/merchants/index.ts';
import { listCases } from '../../service/src/modules/operator-cases/index.ts';
import { signIn } from '../harness/dashboard/sign-in.ts';
import type { Sandbox } from '../harness/open-sandbox.ts';
import { testBankAccounts } from '../harness/open-test-service.ts';
import type { DashboardPage } from './dashboard-pages.ts';
import type { Trade } from './trade-steps.ts';

/** Pages that only the demo's trade fills: `from` and `to` are the days of it. */
export const demoPages = async (
  sandbox: Sandbox,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly DashboardPage[]> => {
  const { request, tools } = sandbox;
  const first = async (path: string) => (await request('GET', path)).body.data[0];
  const payout = await first('/api/payouts');
  const endpoint = await first('/api/webhook/v2/endpoints');
  const delivery = await first(`/api/webhook/v2/endpoints/${endpoint.id}/deliveries`);
  const dispute = (await listCases(tools, 'OPEN')).find(({ kind }) => kind === 'DISPUTE_OPENED');
  return [
    { name: 'home-all', path: `home?from=${from}&to=${to}` },
    { name: 'money-rows-all', path: `home/rows?figure=REFUNDED&from=${from}&to=${to}` },
    { name: 'payout', path: `payouts/${payout.id}` },
    { name: 'webhook', path: `developers/webhooks/${endpoint.id}` },
    { name: 'delivery', path: `developers/deliveries/${endpoint.id}/${delivery.deliveryId}` },
    ...(dispute ? [{ name: 'operator-case', path: `/operator/cases/${dispute.caseId}` }] : []),
    { name: 'operator-suspended', path: `/operator/merchants/${await suspendAnother(sandbox)}` },
  ];
};

const suspendAnother = async ({ tools, request, url }: Sandbox): Promise<string> => {
  const { merchantId } = await createMerchant(tools, {
    businessName: 'Harbour Books',
    ownerEmail: 'owner@harbour.example',
    bankAccounts: testBankAccounts,
  });
  const { headers } = await signIn(tools, { isOperator: true, origin: url });
  const path = `/dashboard/api/operator/api/operator/merchants/${merchantId}/sandbox/suspension`;
  const body = { reason: 'Annual accounts are missing' };
  const done = await request('PUT', path, { secret: null, headers, body });
  if (done.status !== 200) throw new Error(JSON.stringify(done.body));
  return merchantId;
};

/** A refund that waits for a second person: lists of refunds show it. */
export const proposeRefund = async (
  { tools, request, url, merchant: { merchantId } }: Sandbox,
  { paymentIds: [, paymentRequestId] }: Trade,
): Promise<void> => {
  const prefix = `/dashboard/api/merchants/${merchantId}/sandbox`;
  const call = async (role: 'owner' | 'cashier', method: string, path: string, body: object) => {
    const name = role === 'owner' ? 'Ada Lovelace' : 'Cas Cashier';
    const { headers } = await signIn(tools, { merchantId, role, name, origin: url });
    const done = await request(method, `${prefix}${path}`, { secret: null, headers, body });
    if (done.status !== 200) throw new Error(JSON.stringify(done.body));
  };
  await call('owner', 'PUT', '/settings/refund-approval', { refundApprovalAbove: 500 });
  const body = { paymentRequestId, amount: 620, refundNotes: 'Half of the guests did not come' };
  await call('cashier', 'POST', '/refund-approvals', body);
};
