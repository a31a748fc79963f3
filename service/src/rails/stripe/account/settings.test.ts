import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSettings, readCardRegistration, type StripeSettings } from './settings.ts';

const sandbox = {
  environment: 'SANDBOX',
  secretKey: 'sk_test_0123456789',
  webhookSecret: 'whsec_0123456789',
} as const satisfies StripeSettings;

const production = {
  ...sandbox,
  environment: 'PRODUCTION',
  secretKey: 'sk_live_0123456789',
} as const satisfies StripeSettings;

describe('the settings of an account', () => {
  it('are valid for each environment with its own key', () => {
    expect(checkSettings(sandbox)).toEqual([]);
    expect(checkSettings({ ...sandbox, apiUrl: 'http://127.0.0.1:4600' })).toEqual([]);
    expect(checkSettings(production)).toEqual([]);
    expect(checkSettings({ ...production, secretKey: 'rk_live_0123456789' })).toEqual([]);
  });

  it.each<[string, StripeSettings]>([
    ['a test key in production', { ...production, secretKey: sandbox.secretKey }],
    ['a real key in the sandbox', { ...sandbox, secretKey: production.secretKey }],
    ['a publishable key of the other', { ...production, publishableKey: 'pk_test_1' }],
    ['a simulator in production', { ...production, apiUrl: 'http://127.0.0.1:4600' }],
    ['any address in production', { ...production, apiUrl: 'https://api.stripe.com' }],
    ['the real processor as simulator', { ...sandbox, apiUrl: 'https://api.stripe.com' }],
    ['a path', { ...sandbox, apiUrl: 'http://127.0.0.1:4600/v1' }],
    ['another scheme', { ...sandbox, apiUrl: 'file:///etc/passwd' }],
    ['no address', { ...sandbox, apiUrl: 'somewhere' }],
    ['no key', { ...sandbox, secretKey: '' }],
    ['no webhook secret', { ...sandbox, webhookSecret: 'secret' }],
  ])('with %s are refused without showing a secret', (_, settings) => {
    const wrong = checkSettings(settings);
    expect(wrong.length).toBeGreaterThan(0);
    expect(wrong.join()).not.toMatch(/0123456789/);
  });

  it("come from the simulator's registration, if it has cards", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'florin-cards-'));
    const write = (registration: object) =>
      writeFile(join(folder, 'registration.json'), JSON.stringify(registration));
    const { secretKey, webhookSecret } = sandbox;
    await write({ cards: { apiUrl: 'http://127.0.0.1:4600', secretKey, webhookSecret, more: 1 } });
    expect(await readCardRegistration(folder)).toEqual({
      ...sandbox,
      apiUrl: 'http://127.0.0.1:4600',
    });
    await write({ banks: [] });
    expect(await readCardRegistration(folder)).toBeNull();
    await rm(folder, { recursive: true });
  });
});
