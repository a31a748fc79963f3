import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { samplePayment } from '#modules/payments/test/sample-payment.ts';
import { readPictures } from '#platform/pictures.ts';
import { checkoutView } from '../views/checkout-view.ts';
import { harbour, sampleSources } from '../views/test/sample-sources.ts';
import { serveBankIcons } from './pictures.ts';
import { nameOperator, sendNotice, sendPage } from './send-page.ts';

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

test('a page that belongs to no payment names who runs it', async () => {
  const app = fastify();
  nameOperator(app, {
    ...{ operatorName: 'Acme Pay', operatorStatus: 'Authorised by the FCA (FRN 900123)' },
    termsUrl: 'https://acme.example/terms',
  });
  app.get('/', (_, reply) => sendNotice(reply, 404, 'en', { page: 'NOT_FOUND' }));
  const { body } = await app.inject('/');
  expect(body).toMatch(/Payments by (<bdi>)?Acme Pay/);
  expect(body).toContain('Authorised by the FCA (FRN 900123)');
  expect(body).toContain('href="https://acme.example/terms"');
  await app.close();
});

test('a configured icon of a bank is an image, and a script in it cannot run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-icons-'));
  const hostile = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  mkdirSync(join(folder, 'banks'));
  writeFileSync(join(folder, 'banks', 'harbour.svg'), hostile);
  const app = fastify();
  serveBankIcons(app, { bankRails: { find: () => null }, pictures: readPictures(folder) });
  const { headers, body } = await app.inject('/bank-icons/harbour.svg');
  await app.close();
  expect(body).toBe(hostile);
  expect(headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': expect.stringMatching(/^default-src 'none';.* sandbox$/),
  });
});
