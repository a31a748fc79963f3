import { afterAll, beforeAll } from 'vitest';
import { type SignedIn, signIn } from '../../../../../test/harness/dashboard/sign-in.ts';
import { openKillable } from '../../../../../test/harness/open-killable.ts';
import { parseForms } from '../../../platform/http/input/read-json.ts';
import { useCookies } from '../../../platform/http/use-cookies.ts';
import { merchantRoutes as checkoutRoutes, formTokens } from '../../checkout/index.ts';
import { memberCalls } from '../../dashboard/test/member-calls.ts';
import { openPayments, type Payments } from '../../payments/test/open-payments.ts';
import { codePageRoutes } from '../code-pages.ts';
import { memberRoutes } from '../member-routes.ts';

/** Till, links and codes on one server. What serves them can be killed. */
export let payments: Payments;
export let cashier: SignedIn;
export let call: ReturnType<typeof memberCalls>;
export const killable = openKillable();

export const mortal = <Given extends Pick<Payments['tools'], 'database'>>(tools: Given): Given => ({
  ...tools,
  database: killable.database(tools.database),
});

beforeAll(async () => {
  payments = await openPayments({
    routes: (tools) => [...memberRoutes(mortal(tools)), ...checkoutRoutes(tools)],
  });
  await payments.app.register(async (pages) => {
    parseForms(pages);
    useCookies(pages, { isSecure: false });
    codePageRoutes(pages, {
      ...mortal(payments.tools),
      publicUrl: 'https://pay.example',
      operator: { operatorName: 'Florin Payments' },
      formTokens: formTokens(payments.tools.secrets.keyFor('checkout-form')),
    });
  });
  const { merchantId } = payments.merchant;
  cashier = await signIn(payments.tools, { merchantId, role: 'cashier', name: 'Grace Hopper' });
  call = memberCalls(payments, cashier.headers);
});
afterAll(() => payments.close());
