import { expect, test } from 'vitest';
import { clientSubject } from './register-client.ts';
import { newTestClient } from './test/new-test-client.ts';

test('the subject of a certificate is written as banks compare it', async () => {
  const { transportCertificatePem } = await newTestClient();
  expect(clientSubject(transportCertificatePem)).toBe('CN=florin-test');
});
