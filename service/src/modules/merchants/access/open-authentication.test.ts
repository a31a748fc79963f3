import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { clockRoutes, settingsRoutes } from '../../sandbox/index.ts';
import { createAccessSecret, merchantRoutes, revokeAccessSecret } from '../index.ts';
import { listAccessSecrets } from './change-secrets.ts';
import { openAuthentication } from './open-authentication.ts';
import { isAccessSecret, mintAccessSecret } from './secrets.ts';

let service: TestService;
let offsetMs = 0;
const clock = {
  now: () => new Date(Date.now() + offsetMs),
  sleep: async () => undefined,
};
beforeAll(async () => {
  service = await openTestService({
    clock,
    routes: (tools) => [
      ...merchantRoutes(tools),
      ...settingsRoutes(tools),
      ...clockRoutes({ ...tools, dueSources: [] }),
    ],
  });
});
afterAll(() => service.close());

const identity = (authorization?: string) =>
  service.request('GET', '/api/cli/identity', {
    secret: null,
    headers: authorization === undefined ? {} : { authorization },
  });

describe('the form of a secret', () => {
  test('has a product prefix, an environment and a check', () => {
    const { ids } = service.tools;
    for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
      const secret = mintAccessSecret(environment, ids.bytes);
      expect(secret).toMatch(/^florin_(sandbox|production)_[0-9A-Za-z]{39}$/);
      expect(secret).toContain(environment.toLowerCase());
      expect(isAccessSecret(secret)).toBe(true);
    }
  });

  test('with any character changed is rejected as a typo', () => {
    const { sandboxSecret } = service;
    for (let at = 0; at < sandboxSecret.length; at += 1) {
      const other = sandboxSecret[at] === 'a' ? 'b' : 'a';
      const typo = sandboxSecret.slice(0, at) + other + sandboxSecret.slice(at + 1);
      expect(isAccessSecret(typo), typo).toBe(false);
    }
  });
});

describe('Authorization', () => {
  test('accepts a secret with any case of the scheme', async () => {
    expect((await identity(`Bearer ${service.sandboxSecret}`)).status).toBe(200);
    expect((await identity(`bearer  ${service.sandboxSecret} `)).status).toBe(200);
    const production = await identity(`Bearer ${service.productionSecret}`);
    expect(production.body.key.env).toBe('PRODUCTION');
  });

  test.each([
    ['and none was sent', [undefined, '', 'Bearer', 'Bearer ']],
    ['does not begin with "Bearer "', ['x', 'Basic x', 'Token x', 'Bearerx']],
  ])('says what is missing: %s', async (words, sent) => {
    for (const authorization of sent) {
      const { status, body } = await identity(authorization);
      expect([status, body.name]).toEqual([401, 'INVALID_CREDENTIAL']);
      expect(body.message).toContain(words);
      expect(body.message).toContain('Send "Authorization: Bearer <secret>".');
    }
  });

  test('answers the same 401 for every wrong secret', async () => {
    const unknown = mintAccessSecret('SANDBOX', service.tools.ids.bytes);
    const { sandboxSecret } = service;
    const wrong = [
      `Bearer ${sandboxSecret}x`,
      `Bearer ${sandboxSecret} ${sandboxSecret}`,
      `Bearer ${sandboxSecret.slice(0, -1)}`,
      `Bearer ${sandboxSecret.replace('sandbox', 'production')}`,
      `Bearer ${sandboxSecret.toUpperCase()}`,
      `Bearer ${unknown}`,
      `Bearer ${'x'.repeat(7_000)}`,
      'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.',
      "Bearer ' or true --",
    ];
    const replies = await Promise.all(wrong.map(identity));
    for (const { status, body } of replies) {
      expect(status).toBe(401);
      expect(body.message).toContain('is not valid');
      expect(body).toEqual({ ...replies[0]?.body, name: 'INVALID_CREDENTIAL', errors: [] });
    }
    const lines = service.logged.filter((line) => line.includes('an access secret was refused'));
    expect(lines.length).toBeGreaterThanOrEqual(wrong.length);
    expect(lines.join()).not.toContain(unknown);
  });

  test('is checked before the body is validated', async () => {
    const reply = await service.request('POST', '/api/sandbox/clock', { secret: null, body: [] });
    expect(reply.status).toBe(401);
  });

  test('rejects a production secret for a sandbox operation', async () => {
    const secret = service.productionSecret;
    for (const path of ['/api/sandbox/clock', '/api/sandbox/switches']) {
      const reply = await service.request('POST', path, { secret, body: {} });
      expect([reply.status, reply.body.name]).toEqual([400, 'SANDBOX_ONLY']);
    }
  });

  test('rejects writes with a read-only secret', async () => {
    const made = await createAccessSecret(service.tools, service.sandbox, { isReadOnly: true });
    const sent = { secret: made.secret, body: { advanceMs: 0 } };
    expect((await service.request('GET', '/api/cli/identity', sent)).status).toBe(200);
    const reply = await service.request('POST', '/api/sandbox/clock', sent);
    expect([reply.status, reply.body.name]).toEqual([403, 'NOT_ENABLED']);
  });

  test('rejects an expired secret, also when cached', async () => {
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    const { secret } = await createAccessSecret(service.tools, service.sandbox, { expiresAt });
    expect((await identity(`Bearer ${secret}`)).status).toBe(200);
    offsetMs += 58_000;
    expect((await identity(`Bearer ${secret}`)).status).toBe(200);
    offsetMs += 2_000;
    expect((await identity(`Bearer ${secret}`)).status).toBe(401);
    offsetMs += 10_000;
    expect((await identity(`Bearer ${secret}`)).status).toBe(401);
  });

  test('rejects a revoked secret at once here and within five seconds elsewhere', async () => {
    const { secret, secretId } = await createAccessSecret(service.tools, service.sandbox);
    const elsewhere = openAuthentication(service.tools);
    await elsewhere.authenticate(`Bearer ${secret}`);
    expect((await identity(`Bearer ${secret}`)).status).toBe(200);
    await revokeAccessSecret(service.tools, service.authentication, service.sandbox, secretId);
    expect((await identity(`Bearer ${secret}`)).status).toBe(401);
    offsetMs += 5_000;
    await expect(elsewhere.authenticate(`Bearer ${secret}`)).rejects.toThrow(/access secret/);
    await elsewhere.drain();
  });

  test("does not revoke another merchant's secret", async () => {
    const other = await service.newMerchant();
    const { secretId, secret } = other.secrets.SANDBOX;
    await expect(
      revokeAccessSecret(service.tools, service.authentication, service.sandbox, secretId),
    ).rejects.toMatchObject({ definition: { name: 'NOT_FOUND' } });
    expect((await identity(`Bearer ${secret}`)).status).toBe(200);
  });

  test('reads the database once for concurrent requests', async () => {
    let queries = 0;
    const { database } = service;
    const counted = openAuthentication({
      ...service.tools,
      database: {
        ...database,
        system: (...call) => {
          queries += 1;
          return database.system(...call);
        },
      },
    });
    const authorization = `Bearer ${service.sandboxSecret}`;
    await Promise.all(Array.from({ length: 50 }, () => counted.authenticate(authorization)));
    await counted.authenticate(authorization);
    expect(queries).toBe(1);
    await counted.drain();
  });

  test('records the last use at most once a minute', async () => {
    const { secret, secretId } = await createAccessSecret(service.tools, service.sandbox);
    const lastUse = async () => {
      await service.authentication.drain();
      const { data: secrets } = await listAccessSecrets(service.tools, service.sandbox);
      return secrets.find((row) => row.secretId === secretId)?.lastUsedAt ?? null;
    };
    expect(await lastUse()).toBeNull();
    await identity(`Bearer ${secret}`);
    const first = await lastUse();
    expect(first).not.toBeNull();
    offsetMs += 59_000;
    await identity(`Bearer ${secret}`);
    expect(await lastUse()).toBe(first);
    offsetMs += 2_000;
    await identity(`Bearer ${secret}`);
    expect((await lastUse()) ?? '').toSatisfy((later: string) => later > (first ?? ''));
  });
});
