import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../harness/dashboard/sign-in.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());

test('what somebody wrote is shown as text and runs nowhere', async () => {
  const { sandbox } = dashboard;
  const hostile = '<img src=x onerror="ran=1">';
  const { merchantId } = sandbox.merchant;
  const { headers } = await signIn(sandbox.tools, {
    merchantId,
    origin: sandbox.url,
    name: hostile,
  });
  const done = async (method: string, path: string, body: object): Promise<string> => {
    const reply = await sandbox.request(method, path, { secret: null, headers, body });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body.paymentRequestId ?? reply.body.id;
  };
  const own = `/dashboard/api/merchants/${merchantId}/sandbox`;
  const customerId = await done('POST', `${own}/api/customers`, {
    ...{ fullName: hostile, email: 'x@example.com' },
  });
  const paymentId = await done('POST', `${own}/api/payments/process-payment`, {
    ...{
      orderId: hostile,
      customerId: 'c-1',
      amount: 12.5,
      notes: hostile,
    },
    callbackParams: { note: `${hostile}</script><script>ran=1</script>` },
  });
  await done('POST', `${own}/stores`, { locationName: hostile });
  await done('POST', `${own}/team/invites`, { email: 'x@example.com', role: 'cashier' });
  const { page, open, close } = await dashboard.visit(`payments/${paymentId}`);
  for (const path of [
    ...[`payments/${paymentId}`, `payments/${paymentId}?tab=json`, 'customers'],
    ...[`customers/${customerId}`, 'settings/stores', 'settings/team', 'settings/audit'],
  ]) {
    await open(path);
    expect(await page.getByText('<img src=x onerror').count(), path).toBeGreaterThan(0);
    expect(await page.evaluate('typeof ran'), path).toBe('undefined');
    expect(await page.locator('img[src="x"]').count(), path).toBe(0);
  }
  await close();
});
