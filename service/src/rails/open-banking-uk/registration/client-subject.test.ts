import { expect, test } from 'vitest';
import { newTestClient } from '../test/new-test-client.ts';
import { clientSubject } from './client-subject.ts';

test('the subject of a certificate is written as banks compare it', async () => {
  const { transportCertificatePem } = await newTestClient();
  expect(clientSubject(transportCertificatePem)).toBe('CN=florin-test');
});
