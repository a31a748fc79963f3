import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditPackages } from './audit-packages.ts';

/** A registry that knows what a test says of the packages that it is asked about. */
const registry = createServer(async (request, reply) => {
  const sent = Buffer.concat(await request.toArray());
  const isPacked = request.headers['content-encoding'] === 'gzip';
  reply.setHeader('content-type', 'application/json').statusCode = status;
  if (request.method === 'GET') {
    const name = decodeURIComponent(request.url?.slice(1) ?? '');
    const versions = Object.fromEntries(
      (asked[name] ?? []).map((version) => [version, { name, version }]),
    );
    reply.end(JSON.stringify({ name, versions }));
    return;
  }
  asked = JSON.parse((isPacked ? gunzipSync(sent) : sent).toString());
  reply.end(JSON.stringify(status === 200 ? known : {}));
});
let asked: Record<string, string[]> = {};
let known: Record<string, object[]> = {};
let status = 200;
beforeAll(() => once(registry.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => registry.close());
beforeEach(() => {
  [known, asked, status] = [{}, {}, 200];
});

const audit = () =>
  auditPackages({
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
    npm_config_fetch_retries: '0',
  });
const weakness = (severity: string) => ({
  ...{ id: 1, url: 'https://advisories.example/1', title: 'A weakness', severity },
  vulnerable_versions: '<999.0.0',
});

test('a release asks about every package of the product, in its version', async () => {
  expect(await audit()).toBe(true);
  const { dependencies } = JSON.parse(await readFile('service/package.json', 'utf8'));
  const outside = Object.entries(dependencies).filter(([name]) => !name.startsWith('@florin/'));
  for (const [name, version] of outside)
    expect(asked).toMatchObject({ [name]: expect.arrayContaining([version]) });
});

test('nothing is made with a package that has a known weakness, or where nobody answers', async () => {
  known = { fastify: [weakness('moderate')] };
  expect(await audit()).toBe(false);
  known = { '@biomejs/biome': [weakness('critical')] };
  expect(await audit()).toBe(true);
  status = 500;
  expect(await audit()).toBe(false);
});
