import { Ajv, type ValidateFunction } from 'ajv';
import { failures } from '../../../contract/failures.ts';
import { openApi, openApiPath } from '../../../contract/openapi.ts';
import type { Operation } from '../../../contract/operation.ts';
import { failuresOf, operations } from '../../../contract/operations.ts';
import type { Reply } from './send.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: { uuid, email: /^[^@\s]+@[^@\s]+$/ },
});

type Json = { readonly [name: string]: Json };

/** The error of a reply under the published document of the operation; null for none. */
export const findReplyProblem = (operation: Operation, reply: Reply): string | null => {
  const { status, headers, text } = reply;
  // No card processor is configured here, and the answer shows it.
  const isConfigured = !text.includes(failures.railNotConfigured.name);
  if (status >= 500 && isConfigured) return `answered ${status}`;
  if (!/^[0-9a-f-]{36}$/.test(String(headers['x-request-id']))) return 'has no x-request-id';
  if (headers['content-type'] !== 'application/json; charset=utf-8')
    return `is ${headers['content-type']}`;
  const body: unknown = JSON.parse(text);
  if (status === 200) return said(replySchemas.get(operation.id), body);
  const { name } = body as { readonly name?: string };
  const known = failuresOf(operation).map((id) => failures[id]);
  // An id may be no id, so that another route is met or none.
  const named = [...known, failures.notFound, failures.methodNotAllowed];
  if (!named.some((each) => each.status === status && each.name === name))
    return `answered ${status} ${name}, which the contract does not name`;
  return said(errorSchema, body);
};

/** A member that the document does not describe is none that a reply may have. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inside = Object.fromEntries(
    Object.entries(schema).map(([name, each]) => [name, closed(each)]),
  );
  const isOpen = !('properties' in inside) || 'additionalProperties' in inside;
  return isOpen ? inside : { ...inside, additionalProperties: false };
};

const document = openApi(operations, {}) as unknown as Json;
const errorSchema = ajv.compile(closed(document.components?.schemas?.Error) as object);

const replySchemas = new Map<string, ValidateFunction>(
  operations.map((operation) => {
    const described = document.paths?.[openApiPath(operation)]?.[operation.method.toLowerCase()];
    const schema = described?.responses?.['200']?.content?.['application/json']?.schema;
    return [operation.id, ajv.compile(closed(schema) as object)];
  }),
);

const said = (validate: ValidateFunction | undefined, body: unknown): string | null => {
  if (!validate) return 'has no schema';
  return validate(body) ? null : ajv.errorsText(validate.errors);
};
