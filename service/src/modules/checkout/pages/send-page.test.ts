import fastify from 'fastify';
import { expect, test } from 'vitest';
import { samplePayment } from '#modules/payments/test/sample-payment.ts';
import { checkoutView } from '../views/checkout-view.ts';
import { harbour, sampleSources } from '../views/test/sample-sources.ts';
import { sendPage } from './send-page.ts';

const policyOf = async (institutionId: string): Promise<string> => {
  const view = checkoutView(
    sampleSources({
      payment: samplePayment({}),
      institutions: [{ ...harbour, appScheme: 'harbourapp:' }],
      query: { institutionId },
    }),
  );
  const app = fastify();
  app.get('/', (_, reply) => sendPage(reply, view));
  const { headers } = await app.inject('/');
  await app.close();
  return String(headers['content-security-policy']);
};

test('the review of a bank without web pages may lead to its app, no other page may', async () => {
  expect(await policyOf(harbour.id)).toMatch(/form-action 'self' https:[^;]* harbourapp:;/);
  expect(await policyOf('')).not.toContain('harbourapp:');
});
