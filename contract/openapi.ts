import type { TSchema } from 'typebox';
import { acceptedSchema, widenedSchema } from './accepted-schema.ts';
import { type FailureId, failures } from './failures.ts';
import { limits } from './limits.ts';
import type { ApiAccess, Operation } from './operation.ts';
import { failuresOf } from './operations.ts';
import { failureExample, replyExample, requestExample } from './published/examples.ts';
import { apiAccess, tagOf, tags } from './published/tags.ts';
import { plainSchema, webhooks } from './published/webhooks.ts';

type Json = { readonly [name: string]: unknown };
type ObjectSchema = {
  readonly properties?: { readonly [name: string]: TSchema };
  readonly required?: readonly string[];
};

/** The doc comment of an operation, by its id. */
export type Descriptions = { readonly [operationId: string]: string };

/** OpenAPI 3.1 of these operations. */
export const openApi = (operations: readonly Operation[], descriptions: Descriptions): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Florin',
    version: '1.0.0',
    description:
      'Payments in pounds sterling: bodies are JSON, times ISO 8601 in UTC. Every reply carries ' +
      '`x-request-id`. Members that an operation does not know are ignored; in the sandbox ' +
      '`Florin-Warning` names them.',
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'Who runs this server' },
  },
  servers: [{ url: '/', description: 'This server' }],
  tags: usedTags(operations),
  paths: paths(operations, descriptions),
  webhooks: webhooks(),
  components: {
    securitySchemes: {
      accessSecret: {
        type: 'http',
        scheme: 'bearer',
        description: 'An access secret; it belongs to one merchant and one environment.',
      },
      operatorSecret: {
        type: 'http',
        scheme: 'bearer',
        description: 'An operator secret; it belongs to a person or program that runs Florin.',
      },
    },
    schemas: { Error: errorSchema },
    examples: failureExamples(operations),
  },
});

const errorSchema = {
  type: 'object',
  required: ['name', 'message', 'status', 'errors'],
  properties: {
    name: { type: 'string', description: 'For programs.' },
    message: { type: 'string', description: 'For people.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    title: { type: 'string', description: 'Of a page that shows the error.' },
    time: { type: 'string', description: 'When a paid or expired request became so.' },
    referenceId: { type: 'string', description: 'Of what was paid or has expired.' },
    amount: { type: 'number', description: 'Pounds of what was paid or has expired.' },
    redirectUrl: { type: ['string', 'null'], description: 'Back to the merchant.' },
    errors: {
      type: 'array',
      description: 'What is wrong with which field, where a field is to blame.',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

const usedTags = (operations: readonly Operation[]): readonly Json[] => {
  const used = new Set(operations.map(tagOf));
  return Object.entries(tags)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
};

const failureExamples = (operations: readonly Operation[]): Json =>
  Object.fromEntries(
    [...new Set(operations.flatMap(failuresOf))].map((id) => [id, failureExample(id)]),
  );

const paths = (operations: readonly Operation[], descriptions: Descriptions): Json => {
  const byPath: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = openApiPath(operation);
    byPath[path] = {
      ...byPath[path],
      [operation.method.toLowerCase()]: described(operation, descriptions[operation.id]),
    };
  }
  return byPath;
};

export const openApiPath = ({ path }: Operation): string => path.replace(/:(\w+)/g, '{$1}');

const security = {
  secret: [{ accessSecret: [] }],
  sandboxSecret: [{ accessSecret: [] }],
  optionalSecret: [{ accessSecret: [] }, {}],
  open: [],
  operator: [{ operatorSecret: [] }],
} as const satisfies Record<ApiAccess, readonly object[]>;

const described = (operation: Operation, description: string | undefined): Json => ({
  operationId: operation.id,
  summary: operation.summary,
  description: description || operation.summary,
  tags: [tagOf(operation)],
  security: security[apiAccess(operation)],
  parameters: [
    ...parameters('path', operation.params),
    ...parameters('query', operation.query),
    ...(operation.idempotent ? [idempotencyKey] : []),
  ],
  ...(operation.body ? { requestBody: requestBody(operation, operation.body) } : {}),
  responses: { 200: success(operation), ...failureReplies(operation) },
});

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key and body give the first reply again, ' +
    `for ${limits.idempotencyRetentionHours} hours.`,
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyLength },
};

const parameters = (location: 'path' | 'query', schema: TSchema | undefined): readonly Json[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema;
  return Object.entries(properties).map(([name, value]) => {
    const { description, ...rest } = plainSchema(widenedSchema(value));
    return {
      name,
      in: location,
      // A member with a default may be left out, though its handler always has it.
      required: location === 'path' || (required.includes(name) && !('default' in rest)),
      ...(description ? { description } : {}),
      schema: rest,
    };
  });
};

const requestBody = (operation: Operation, body: TSchema): Json => ({
  required: !operation.bodyOptional,
  content: {
    'application/json': {
      schema: plainSchema(acceptedSchema(body)),
      example: requestExample(operation),
    },
  },
});

const success = (operation: Operation): Json => ({
  description: 'Done.',
  headers: requestIdHeader,
  content: {
    'application/json': {
      schema: plainSchema(operation.reply),
      example: replyExample(operation),
    },
  },
});

const requestIdHeader = { 'x-request-id': { schema: { type: 'string', format: 'uuid' } } };
const retryAfterHeader = {
  'retry-after': { schema: { type: 'integer' }, description: 'Seconds to wait.' },
};

const failureReplies = (operation: Operation): Json => {
  const byStatus = new Map<number, FailureId[]>();
  for (const id of failuresOf(operation)) {
    const { status } = failures[id];
    byStatus.set(status, [...(byStatus.get(status) ?? []), id]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, ids]) => [
      status,
      {
        description: ids.map((id) => `${failures[id].name}: ${failures[id].message}`).join('\n\n'),
        headers: {
          ...requestIdHeader,
          ...(status === 429 || status === 503 ? retryAfterHeader : {}),
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(
              ids.map((id) => [id, { $ref: `#/components/examples/${id}` }]),
            ),
          },
        },
      },
    ]),
  );
};
