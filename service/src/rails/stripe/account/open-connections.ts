import type Stripe from 'stripe';
import { request } from 'undici';
import { openAgent, type Timeouts } from '#rails/http-limits.ts';

/** Bounded in time, bytes and number, which the SDK's own client is not. */
export const openConnections = (timeouts: Timeouts) => {
  const agent = openAgent(timeouts);
  const client: Stripe.HttpClient = {
    getClientName: () => 'undici',
    makeRequest: async (host, port, path, method, headers, body, protocol) => {
      const answer = await withoutCode(() =>
        request(`${protocol}://${host}:${port}${path}`, {
          dispatcher: agent,
          method: method as 'GET' | 'POST',
          headers: textHeaders(headers),
          body: method === 'POST' ? body : null,
          signal: AbortSignal.timeout(timeouts.totalMs),
        }),
      );
      return {
        getStatusCode: () => answer.statusCode,
        getHeaders: () => readHeaders(answer.headers),
        getRawResponse: () => ({}),
        toStream: () => {
          throw new Error('no answer of the card processor is streamed');
        },
        toJSON: () =>
          withoutCode(async () => readJson(answer.statusCode, await answer.body.text())),
      };
    },
  };
  return { client, close: () => agent.close() };
};

/**
 * The SDK retries when it sees the code of a closed connection, even with no retries allowed: the
 * resolvers decide about retries, so it stands in the text alone.
 */
const withoutCode = async <Value>(step: () => Promise<Value>): Promise<Value> => {
  try {
    return await step();
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    throw new Error(code ?? name ?? 'unknown');
  }
};

/** The SDK takes any status for a success whose body has no `error`. */
const readJson = (status: number, text: string): unknown => {
  const body: unknown = JSON.parse(text);
  const isObject = typeof body === 'object' && body !== null;
  if (!isObject || (status >= 300 && !('error' in body))) throw new Error('UnreadableAnswer');
  return body;
};

const textHeaders = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

// A notice to developers would be printed by the SDK as a warning of this process.
const readHeaders = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> => {
  const { 'stripe-notice': _notice, ...rest } = headers;
  return Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
};
