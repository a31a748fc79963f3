import { type Agent, request } from 'undici';
import { defaultTimeoutMs, type HttpChannelSettings } from '../settings.ts';

export type Hub = { readonly settings: HttpChannelSettings; readonly agent: Agent };

export type HubCall = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
};

export type HubAnswer =
  | { readonly kind: 'ANSWER'; readonly status: number; readonly body: unknown }
  /** No connection was made: the hub has not seen the call. */
  | { readonly kind: 'NOT_CONNECTED' }
  /** The hub may have carried out the call. */
  | { readonly kind: 'LOST' };

const notConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export const callHub = async (hub: Hub, call: HubCall): Promise<HubAnswer> => {
  const { url, secret, timeoutMs = defaultTimeoutMs } = hub.settings;
  try {
    const answer = await request(`${url}${call.path}`, {
      dispatcher: hub.agent,
      method: call.method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(call.contentType && { 'content-type': call.contentType }),
      },
      ...(call.body !== undefined && { body: call.body }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.body.text();
    return { kind: 'ANSWER', status: answer.statusCode, body: parsed(text) };
  } catch (error) {
    const { code } = error as { code?: string };
    return { kind: code !== undefined && notConnected.has(code) ? 'NOT_CONNECTED' : 'LOST' };
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The hub's own code in an answer, which a proxy in between does not set. */
export const codeOf = (body: unknown): string | null => {
  const { code } = (body ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : null;
};
