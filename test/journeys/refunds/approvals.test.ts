import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as dashboard from '../../../contract/dashboard/index.ts';
import { memberCalls } from '../../../service/src/modules/dashboard/test/member-calls.ts';
import { createMerchant } from '../../../service/src/modules/merchants/index.ts';
import { listCaughtMails } from '../../../service/src/modules/people/index.ts';
import { approveRefund } from '../../../service/src/modules/refunds/requests/approvals.ts';
import { noTrace } from '../../../service/src/platform/http/request-trace.ts';
import { type SignedIn, signIn } from '../../harness/dashboard/sign-in.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { openKillable } from '../../harness/open-killable.ts';
import { testBankAccounts } from '../../harness/open-test-service.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const timeout = 90_000;

let journey: Journey;
let people: Record<'owner' | 'manager' | 'other' | 'cashier', SignedIn>;
let call: ReturnType<typeof memberCalls>;
beforeAll(async () => {
  journey = await openJourney();
  const { tools, merchant, url } = journey.sandbox;
  const member = (role: 'owner' | 'manager' | 'cashier', name: string) =>
    signIn(tools, { merchantId: merchant.merchantId, role, name, origin: url });
  people = {
    owner: await member('owner', 'Olive Owner'),
    manager: await member('manager', 'Max Manager'),
    other: await member('manager', 'Mia Manager'),
    cashier: await member('cashier', 'Cas Cashier'),
  };
  call = memberCalls(journey.sandbox as never, people.owner.headers);
});
afterAll(() => journey.close());

const request = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, path, { body });
const paid = async (amount = 100): Promise<string> => {
  const id = await journey.create({ enableTips: false, amount });
  await request('POST', `/api/sandbox/payment-requests/${id}/pay`, {});
  await journey.becomes(id, 'COMPLETED .*');
  return id;
};
const payShare = async (paymentRequestId: string, amount: number): Promise<void> => {
  const started = await journey.sandbox.request('POST', '/api/payments/v1/secure-payment-auth', {
    secret: null,
    body: {
      institutionId: 'mock-sandbox-v1',
      paymentRequestSource: { paymentRequestSourcetype: 3, paymentRequestId },
      amount: { amount },
    },
  });
  const back = await journey.payer.approve(started.body.authorisationUrl);
  await journey.payer.comeBack(back ?? {});
};
const limit = (refundApprovalAbove: number | null, headers = people.owner.headers) =>
  call(dashboard.setRefundApproval, { body: { refundApprovalAbove }, headers });
/** As the dashboard does, with a key of its own. */
const refundBy = (
  { headers }: SignedIn,
  paymentRequestId: string,
  amount: number,
  more: object = {},
) =>
  journey.sandbox.request(
    'POST',
    `/dashboard/api/merchants/${journey.sandbox.merchant.merchantId}/sandbox/api/refund`,
    { secret: null, headers, body: { paymentRequestId, amount, ...more } },
  );
const propose = async (paymentRequestId: string, amount: number, by = people.cashier) =>
  call(dashboard.proposeRefund, { body: { paymentRequestId, amount }, headers: by.headers });
const proposed = async (paymentRequestId: string, amount: number): Promise<string> =>
  (await propose(paymentRequestId, amount)).body.approvalId;
const decide = (approvalId: string, by: SignedIn, operation = dashboard.approveRefund) =>
  call(operation, { params: { approvalId }, headers: by.headers });
const decline = (approvalId: string, reason: string, by = people.manager) =>
  call(dashboard.declineRefund, {
    params: { approvalId },
    body: { reason },
    headers: by.headers,
  });
const refundsOf = async (id: string) => (await request('GET', `/api/refund/${id}`)).body;
const shown = ({ status, body }: { status: number; body: { name?: string } }) => [
  status,
  body.name,
];

describe('above the limit of the merchant', { timeout }, () => {
  test('an owner sets it, and members need a second person, programs do not', async () => {
    expect(shown(await limit(40, people.manager.headers))).toEqual([403, 'NOT_PERMITTED']);
    expect((await limit(40.001)).body.errors[0].field).toBe('refundApprovalAbove');
    expect((await limit(40)).body.refundApprovalAbove).toBe(40);
    const id = await paid();
    const refused = await refundBy(people.manager, id, 40.01);
    expect(shown(refused)).toEqual([403, 'NOT_PERMITTED']);
    expect(refused.body.message).toContain('£40.00');
    expect((await refundBy(people.manager, id, 15)).status).toBe(200);
    // In parts it is the same money: of those at once only what fits.
    const parts = [1, 2, 3].map(() => refundBy(people.manager, id, 20));
    const statuses = (await Promise.all(parts)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 403, 403]);
    const byProgram = await request('POST', '/api/refund', { paymentRequestId: id, amount: 60 });
    expect(byProgram.status).toBe(200);
  });

  test('all who paid a part of a bill count as one payment, at once too', async () => {
    const id = await journey.create({ enableTips: false, amount: 60, splitBill: true });
    for (const amount of [30, 30]) await payShare(id, amount);
    await journey.becomes(id, 'COMPLETED .*');
    const { body } = await request('GET', `/api/payments/v1/payment-status/${id}`);
    const shares: { paymentIdempotencyId: string }[] = body.transactionDetails;
    const replies = await Promise.all(
      shares.map(({ paymentIdempotencyId }) =>
        refundBy(people.manager, id, 25, { paymentIdempotencyId }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
    const [share = null] = shares;
    expect((await refundBy(people.manager, id, 5, share ?? {})).status).toBe(200);
  });

  test('who proposed never approves, and of all who approve one refunds', async () => {
    const chosen = { kinds: ['REFUND_PROPOSED'], failingHours: 24 };
    await call(dashboard.changeNotifications, { body: chosen, headers: people.owner.headers });
    const id = await paid();
    const approvalId = (await propose(id, 99, people.manager)).body.approvalId;
    const own = await decide(approvalId, people.manager);
    expect(shown(own)).toEqual([409, 'INVALID_STATE']);
    expect(shown(await decide(approvalId, people.cashier))).toEqual([403, 'NOT_PERMITTED']);
    const racing = [people.owner, people.other, people.owner, people.other];
    const replies = await Promise.all(racing.map((by) => decide(approvalId, by)));
    const won = replies.filter(({ status }) => status === 200);
    expect(won.length).toBeGreaterThan(0);
    expect(new Set(won.map(({ body }) => body.decidedBy)).size).toBe(1);
    const lost = replies.filter(({ status }) => status !== 200);
    expect(lost.map(shown)).toEqual(lost.map(() => [409, 'INVALID_STATE']));
    const tools = { ...journey.sandbox.tools, dashboardUrl: 'http://x/dashboard' };
    const mail = await waitUntil(async () =>
      (await listCaughtMails(tools, 10)).find(({ to }) => to === people.owner.email),
    );
    expect(mail.subject).toMatch(/^Sandbox: .*: a refund of £99\.00 waits for approval$/);
    expect(mail.text).toContain('Max Manager proposed it.');
    const [only, ...more] = await refundsOf(id);
    expect([only.refundAmount, more]).toEqual(['99.00', []]);
    const listed = await call(dashboard.listRefundApprovals, { query: { paymentRequestId: id } });
    expect(listed.body).toMatchObject({
      approvalAbove: 40,
      data: [
        { status: 'REFUNDED', refundId: only.refundId, proposedBy: 'Max Manager', isOwn: false },
      ],
    });
  });

  test('stands in the time line of the payment, with who proposed, declined and approved it', async () => {
    const id = await paid(60);
    await decline(await proposed(id, 50), 'Ask the customer first.');
    await decide(await proposed(id, 45), people.owner);
    const timeline = await call(dashboard.getPaymentTimeline, { params: { paymentRequestId: id } });
    const steps = timeline.body.entries.filter(
      ({ by }: { by: { kind: string } }) => by.kind === 'PERSON',
    );
    expect(steps).toMatchObject([
      { title: 'Refund proposed: another person decides', amount: 50, by: { name: 'Cas Cashier' } },
      { title: 'Refund declined', detail: 'Ask the customer first.', by: { name: 'Max Manager' } },
      { title: 'Refund proposed: another person decides', amount: 45 },
      { title: 'Refund approved', kind: 'REFUND', by: { name: 'Olive Owner' } },
    ]);
  });

  test('a refund that the payment no longer allows ends the request with its reason', async () => {
    const id = await paid(50);
    const approvalId = await proposed(id, 30);
    expect(shown(await propose(id, 50.01))).toEqual([400, 'BAD_REQUEST']);
    await request('POST', '/api/refund', { paymentRequestId: id, amount: 40 });
    expect(shown(await propose(id, 10.01))).toEqual([400, 'BAD_REQUEST']);
    const refused = await decide(approvalId, people.owner);
    expect([refused.status, refused.body.status]).toEqual([200, 'REFUSED']);
    expect(refused.body.reason).toContain('more than what is left');
    expect(await refundsOf(id)).toHaveLength(1);
  });

  test('is declined with a reason by another, and withdrawn by who proposed', async () => {
    const id = await paid();
    const declined = await proposed(id, 50);
    const reply = await decline(declined, ' Already sent a new one ');
    expect(reply.body).toMatchObject({ status: 'DECLINED', reason: 'Already sent a new one' });
    expect((await decline(declined, 'Again')).body.reason).toBe('Already sent a new one');
    expect(shown(await decide(declined, people.owner))).toEqual([409, 'INVALID_STATE']);
    const withdrawn = await proposed(id, 50);
    const foreign = await decide(withdrawn, people.manager, dashboard.withdrawRefund as never);
    expect(shown(foreign)).toEqual([409, 'INVALID_STATE']);
    const own = await decide(withdrawn, people.cashier, dashboard.withdrawRefund as never);
    expect(own.body.status).toBe('WITHDRAWN');
    expect(shown(await decline(withdrawn, 'Late'))).toEqual([409, 'INVALID_STATE']);
    const waiting = await call(dashboard.listRefundApprovals, { query: { status: 'WAITING' } });
    expect(waiting.body.data).toEqual([]);
    expect(await refundsOf(id)).toEqual([]);
  });

  longTest('is of one merchant', async () => {
    const approvalId = await proposed(await paid(), 50);
    const { tools, url } = journey.sandbox;
    const { merchantId, headers } = await stranger(tools, url);
    const sent = { params: { approvalId }, merchantId, headers };
    expect((await call(dashboard.approveRefund, sent)).status).toBe(404);
  });

  test('wherever the program that approves is killed, there is one refund', async () => {
    const { tools, rails, tenant } = journey.sandbox;
    const { personId } = people.owner;
    const by = { kind: 'person', personId, name: 'Olive Owner', role: 'owner' } as const;
    const caller = { tenant, secretId: personId, redirectUrl: null, isReadOnly: false, by };
    const id = await paid();
    const killable = openKillable();
    const all = { ...tools, ...rails, database: killable.database(tools.database) };
    const steps = await killable.killAfterEach({
      prepare: () => proposed(id, 2),
      work: (approvalId) => approveRefund(all, caller, by, approvalId, noTrace),
      check: async (approvalId, killed, round) => {
        const decided = await decide(approvalId, people.owner);
        expect(decided.body, killed).toMatchObject({ status: 'REFUNDED' });
        expect(await refundsOf(id), killed).toHaveLength(round);
      },
    });
    expect(steps).toContain('refund_insert');
  });
});

const stranger = async (tools: Journey['sandbox']['tools'], origin: string) => {
  const bankAccounts = testBankAccounts;
  const { merchantId } = await createMerchant(tools, { businessName: 'Other', bankAccounts });
  return { merchantId, headers: (await signIn(tools, { merchantId, origin })).headers };
};
