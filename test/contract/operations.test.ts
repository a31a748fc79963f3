import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { failures } from '../../contract/failures.ts';
import * as contract from '../../contract/index.ts';
import { openApi } from '../../contract/openapi.ts';
import { dashboardOperations, operations } from '../../contract/operations.ts';
import { effectsOfOperations } from './effects-of-operations.ts';
import { servedRoutes } from './served-routes.ts';

test('every operation has exactly one handler', async () => {
  const served = (await servedRoutes()).map((route) => route.operation.id);
  const described = [...operations, ...dashboardOperations].map(({ id }) => id);
  expect(served.sort()).toEqual(described.sort());
});

test('of every operation that is not a read it is said what happens when it is sent twice', () => {
  const changing = [...operations, ...dashboardOperations].filter(({ method }) => method !== 'GET');
  const said = Object.values(effectsOfOperations).flat();
  expect([...said].sort()).toEqual(changing.map(({ id }) => id).sort());
});

describe('the contract', () => {
  test('names each operation like its export, once', () => {
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const operation of operations)
      expect((contract as Record<string, unknown>)[operation.id]).toBe(operation);
  });

  test('has each method and path once', () => {
    const addresses = operations.map(
      ({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`,
    );
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test.each(operations.map((each) => [each.id, each] as const))(
    '%s is complete',
    (_, operation) => {
      const { path, params, summary, rules, method, body } = operation;
      const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name).sort();
      const inParams = Object.keys((params as { properties?: object })?.properties ?? {}).sort();
      expect(inParams).toEqual(inPath);
      expect(path).toMatch(/^\/api\//);
      expect(summary).toMatch(/^[A-Z].*\.$/);
      expect(rules.length).toBeGreaterThan(0);
      expect(method === 'GET' && body !== undefined).toBe(false);
      for (const id of operation.failsWith) expect(failures).toHaveProperty(id);
      expect(operation.failsWith, 'every operation has it').not.toContain('badRequest');
    },
  );

  test('has valid OpenAPI schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const document = openApi(operations, {}) as {
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    };
    const schemas: object[] = [];
    JSON.stringify(document, (name, value) => {
      if (name === 'schema' && !value.$ref) schemas.push(value);
      return value;
    });
    expect(schemas.length).toBeGreaterThan(operations.length);
    for (const schema of schemas) expect(ajv.validateSchema(schema)).toBe(true);
    for (const path of Object.values(document.paths))
      for (const operation of Object.values(path))
        expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '500']));
  });

  test('publishes what is accepted of a body: null where optional, integers as references', () => {
    const { properties, required } = publishedBody('/api/payments/process-payment');
    expect(required).toEqual(['customerId', 'orderId', 'amount']);
    expect(properties.orderId?.type).toEqual(['string', 'integer']);
    expect(properties.notes?.type).toEqual(['string', 'null']);
    expect(properties.template?.enum).toContain(null);
    expect(properties.redirectUrl).not.toHaveProperty('minLength');
    expect(publishedBody('/api/payments/transactions').properties.fromDate).not.toHaveProperty(
      'format',
    );
    const text = JSON.stringify(openApi(operations, {}));
    expect(text).not.toMatch(/integerToo|emptyMeansAbsent|dateTimeToo/);
  });
});

type PublishedBody = {
  readonly required: readonly string[];
  readonly properties: Readonly<
    Record<string, { readonly type?: unknown; readonly enum?: readonly unknown[] }>
  >;
};

const publishedBody = (path: string): PublishedBody => {
  const { paths } = openApi(operations, {}) as {
    paths: Record<string, { post: { requestBody: { content: Record<string, unknown> } } }>;
  };
  const media = paths[path]?.post.requestBody.content['application/json'];
  return (media as { schema: PublishedBody }).schema;
};
