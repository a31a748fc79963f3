import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from '@florin/contract';
import { addressOf } from './address-of.ts';
import { CallFailure } from './call-failure.ts';
import { type Tenant, tenantOfPath } from './tenant.ts';

export type Input<O> = {
  readonly params?: ParamsOf<O>;
  readonly query?: Partial<QueryOf<O>>;
  readonly body?: BodyOf<O>;
};

export type CallOptions = {
  /** Of the page in view, where it is left out. */
  readonly tenant?: Tenant | null;
  /** A call that repeats an act carries the key of the first one, so that the act happens once. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

/** Calls an operation of the contract as the signed-in person; throws a `CallFailure`. */
export const callOperation = async <const O extends Operation>(
  operation: O,
  input: Input<O> = {},
  options: CallOptions = {},
): Promise<ReplyOf<O>> => {
  const { tenant = tenantOfPath(location.pathname), signal } = options;
  const { params, query, body } = input as { params?: object; query?: object; body?: unknown };
  const address = addressOf(operation, tenant, { params: { ...params }, query: { ...query } });
  const reply = await send(address, {
    method: operation.method,
    headers: headersOf(operation, body, options.idempotencyKey),
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
    credentials: 'same-origin',
    cache: 'no-store',
  });
  const text = await reply.text();
  if (reply.ok) return (text === '' ? null : JSON.parse(text)) as ReplyOf<O>;
  throw failureOf(reply, text);
};

const headersOf = (
  { method, idempotent }: Operation,
  body: unknown,
  idempotencyKey: string = crypto.randomUUID(),
): Record<string, string> => ({
  accept: 'application/json',
  // No form of another site can send it: with the origin it shows that our page calls.
  ...(method !== 'GET' && { 'florin-dashboard': '1' }),
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(idempotent && { 'idempotency-key': idempotencyKey }),
});

const send = async (address: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new CallFailure({
      status: 0,
      failure: 'UNREACHABLE',
      message: 'The server cannot be reached. Check your connection and try again.',
    });
  }
};

const failureOf = ({ status, headers }: Response, text: string): CallFailure => {
  const said = readFailure(text);
  return new CallFailure({
    status,
    failure: said.name ?? 'UNEXPECTED_REPLY',
    message: said.message ?? `The server answered with status ${status}.`,
    errors: said.errors ?? [],
    requestId: headers.get('x-request-id'),
  });
};

type Said = {
  readonly name?: string;
  readonly message?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
};

const readFailure = (text: string): Said => {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
};
