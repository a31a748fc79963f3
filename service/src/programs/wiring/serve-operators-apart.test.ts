import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperatorSecret } from '../../../../service/src/modules/operators/index.ts';
import { openSandbox, type Sandbox } from '../../../../test/harness/open-sandbox.ts';
import { findTestPort } from '../../../../test/harness/programs/find-test-port.ts';

let sandbox: Sandbox;
let apart: string;
let authorization: string;

beforeAll(async () => {
  const port = await findTestPort();
  apart = `http://127.0.0.1:${port}`;
  sandbox = await openSandbox({ OPERATOR_PORT: String(port) });
  authorization = `Bearer ${(await createOperatorSecret(sandbox.tools, 'Ada', null)).secret}`;
});
afterAll(() => sandbox.close());

const statuses = (address: string, paths: readonly string[]): Promise<readonly number[]> =>
  Promise.all(
    paths.map(
      async (path) => (await fetch(`${address}${path}`, { headers: { authorization } })).status,
    ),
  );

test('operators are served on their port alone, and all else on both', async () => {
  const ofOperators = ['/metrics', '/api/operator/cases', '/api/operator/merchants'];
  expect(await statuses(sandbox.url, ofOperators)).toEqual([404, 404, 404]);
  expect(await statuses(apart, ofOperators)).toEqual([200, 200, 200]);
  const ofAll = ['/health/ready', '/docs/guides/quick-start'];
  expect(await statuses(sandbox.url, ofAll)).toEqual([200, 200]);
  expect(await statuses(apart, ofAll)).toEqual([200, 200]);
  const refused = await (await fetch(`${sandbox.url}/api/operator/cases`)).json();
  expect(refused).toMatchObject({ name: 'NOT_FOUND' });
});
