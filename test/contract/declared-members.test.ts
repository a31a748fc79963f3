import { afterAll, beforeAll, expect, test } from 'vitest';
import { failures } from '../../contract/failures.ts';
import type { Operation } from '../../contract/operation.ts';
import { requestExample } from '../../contract/published/examples.ts';
import { sampleUuid, sampleValue } from '../../contract/published/sample-value.ts';
import { Failure } from '../../service/src/kernel/failure.ts';
import {
  dashboardAddress,
  isOfDashboard,
} from '../../service/src/platform/http/dashboard-address.ts';
import type { Call, Route } from '../../service/src/platform/http/route.ts';
import { type SignedIn, signIn } from '../harness/dashboard/sign-in.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { servedRoutes } from './served-routes.ts';

// Each operation is sent every member of every other one: its handler receives what it declares.

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: object;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
};
type Members = Readonly<Record<string, unknown>>;

/** Every operation may answer it, and here only a handler does. */
const reached = failures.rateLimited;
let received: Call<Operation> | null = null;
const routes: readonly Route[] = (await servedRoutes()).map((route) => ({
  ...route,
  handle: async (call) => {
    received = call;
    throw new Failure(reached);
  },
}));

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const everyMember: Members = Object.assign(
  {
    constructor: 'x',
    toString: 'x',
    isAdmin: true,
    merchantId: sampleUuid,
    environment: 'production',
  },
  ...routes.flatMap(({ operation: { body, query, params } }) =>
    [body, query, params].map((part) => part && sampleValue(part, { onlyRequired: false })),
  ),
);

/** Foreign members in each object whose members are declared. */
const withForeign = (schema: Schema, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => withForeign(schema.items ?? {}, item));
  if (!isMembers(value) || !schema.properties || schema.additionalProperties) return value;
  const { properties } = schema;
  const foreign = Object.entries(everyMember).filter(([name]) => !Object.hasOwn(properties, name));
  const own = Object.entries(value).map(([name, each]) => [
    name,
    withForeign(properties[name] ?? {}, each),
  ]);
  return Object.fromEntries([...foreign, ...own]);
};

/** Where a value has a member that its schema does not declare. */
const undeclared = (schema: Schema, value: unknown, path: string): readonly string[] => {
  if (Array.isArray(value))
    return value.flatMap((item) => undeclared(schema.items ?? {}, item, `${path}[]`));
  if (!isMembers(value) || schema.patternProperties || schema.additionalProperties) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const member = Object.hasOwn(schema.properties ?? {}, name) && schema.properties?.[name];
    return member ? undeclared(member, each, `${path}.${name}`) : [`${path}.${name}`];
  });
};

/** Where the sample of a schema is no valid value. */
const ownSamples: Members = {
  ...{ password: 'old words of mine', newPassword: 'new words of mine', code: '123456' },
  ...{ currentPassword: 'old words of mine', query: '?a=1' },
  ...{ source: 'RECEIPT', kind: 'MATCH_CREDIT', deliveryId: '12', fileKind: 'receipt' },
};
const validBody = (operation: Operation): unknown => {
  const body = requestExample(operation);
  const { properties = {} } = (operation.body ?? {}) as Schema;
  const own = Object.entries(ownSamples).filter(([name, value]) => {
    const allowed = (properties[name] as { readonly enum?: readonly unknown[] } | undefined)?.enum;
    return Object.hasOwn(properties, name) && (!allowed || allowed.includes(value));
  });
  return isMembers(body) ? { ...body, ...Object.fromEntries(own) } : body;
};

let service: TestService;
let member: SignedIn;
let operator: SignedIn;
beforeAll(async () => {
  service = await openTestService({ routes: () => routes });
  member = await signIn(service.tools, { merchantId: service.merchant.merchantId });
  operator = await signIn(service.tools, { isOperator: true });
});
afterAll(() => service.close());

const send = (operation: Operation, body: unknown, query: unknown) => {
  const { access, method } = operation;
  const ofPerson = isOfDashboard(access) || access === 'operator';
  const address = ofPerson ? (dashboardAddress(operation) ?? '') : operation.path;
  const path = address
    .replace(':inMerchant', service.merchant.merchantId)
    .replace(/:(inEnvironment|environment)/, 'sandbox')
    .replace(/:(\w+)/g, (_, name: string) => String(ownSamples[name] ?? sampleUuid));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Members))
    search.set(name, String(value));
  const { headers } = access === 'operator' ? operator : member;
  return service.request(method, `${path}?${search}`, {
    ...(ofPerson ? { secret: null, headers } : {}),
    ...(access === 'open' ? { secret: null } : {}),
    ...(method === 'GET' ? {} : { body: body ?? everyMember }),
  });
};

test.each(routes.map(({ operation }) => [operation.id, operation] as const))(
  '%s receives no member that it does not declare',
  async (_, operation) => {
    const { params, query, body } = operation;
    const sentBody = body && withForeign(body as Schema, validBody(operation));
    const sentQuery = withForeign(
      (query ?? { properties: {} }) as Schema,
      query ? sampleValue(query, { onlyRequired: true }) : {},
    );
    received = null;
    const reply = await send(operation, sentBody, sentQuery);
    expect(reply.status, JSON.stringify(reply.body)).toBe(reached.status);
    const call = received as unknown as Call<Operation>;
    expect([
      ...undeclared((params ?? {}) as Schema, call.params, 'params'),
      ...undeclared((query ?? {}) as Schema, call.query, 'query'),
      ...undeclared((body ?? {}) as Schema, call.body, 'body'),
    ]).toEqual([]);
  },
);
