import { createHmac, timingSafeEqual } from 'node:crypto';
import { Agent, request } from 'undici';
import type {
  AcknowledgeOutcome,
  BankNotice,
  ReopenOutcome,
  SubmitOutcome,
} from '#rails/transfer-rail.ts';
import {
  type Channel,
  type Delivery,
  defaultTimeoutMs,
  type HttpChannelSettings,
  type ListOutcome,
  type OutgoingMessage,
} from './channel.ts';

type Hub = { readonly settings: HttpChannelSettings; readonly agent: Agent };

type HubCall = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
};

type HubAnswer =
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

const callHub = async (hub: Hub, call: HubCall): Promise<HubAnswer> => {
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
const codeOf = (body: unknown): string | null => {
  const { code } = (body ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : null;
};

const acknowledgeDelivery = async (
  hub: Hub,
  reference: string,
  quarantineReason: string | null,
): Promise<AcknowledgeOutcome> => {
  const answer = await callHub(hub, {
    method: 'POST',
    path: `/deliveries/${encodeURIComponent(reference)}/acknowledge`,
    contentType: 'application/json',
    body: JSON.stringify({ quarantineReason }),
  });
  if (answer.kind === 'ANSWER' && answer.status === 200) return { kind: 'ACKNOWLEDGED' };
  return unavailable(answer);
};

const reopenDeliveries = async (hub: Hub, since: Date): Promise<ReopenOutcome> => {
  const { sortCode, accountNumber } = hub.settings.account;
  const answer = await callHub(hub, {
    method: 'POST',
    path: '/deliveries/reopen',
    contentType: 'application/json',
    body: JSON.stringify({ account: `${sortCode}${accountNumber}`, since }),
  });
  if (answer.kind === 'ANSWER' && answer.status === 200)
    return { kind: 'REOPENED', messages: (answer.body as { reopened: number }).reopened };
  return unavailable(answer);
};

const listDeliveries = async (hub: Hub, limit: number): Promise<ListOutcome> => {
  const { sortCode, accountNumber } = hub.settings.account;
  const path = `/deliveries?account=${sortCode}${accountNumber}&limit=${limit}`;
  const answer = await callHub(hub, { method: 'GET', path });
  if (answer.kind === 'ANSWER' && answer.status === 200) {
    const { deliveries } = answer.body as { deliveries: readonly Delivery[] };
    return {
      kind: 'DELIVERIES',
      deliveries: deliveries.map(({ reference, text }) => ({ reference, text, problem: null })),
    };
  }
  return unavailable(answer);
};

const unavailable = (answer: HubAnswer) => {
  const status = answer.kind === 'ANSWER' ? `answered ${answer.status}` : 'cannot be reached';
  return { kind: 'UNAVAILABLE', description: `The bank ${status}.` } as const;
};

const sendMessage = async (hub: Hub, message: OutgoingMessage): Promise<SubmitOutcome> => {
  const answer = await callHub(hub, {
    method: 'POST',
    path: '/messages',
    contentType: 'application/xml',
    body: message.text,
  });
  return classify(answer);
};

const classify = (answer: HubAnswer): SubmitOutcome => {
  if (answer.kind === 'NOT_CONNECTED')
    return { kind: 'NOT_TAKEN', description: 'The bank cannot be reached.' };
  if (answer.kind === 'LOST')
    return { kind: 'UNKNOWN', description: 'The answer to the message was lost.' };
  if (answer.status === 202) return { kind: 'SUBMITTED' };
  const code = codeOf(answer.body);
  if (code === 'NOT_TAKEN')
    return { kind: 'NOT_TAKEN', description: 'The bank takes no messages at the moment.' };
  if (code === 'MESSAGE_ID_REUSED' || code === 'MESSAGE_REFUSED') return refused(code);
  return { kind: 'UNKNOWN', description: `The bank answered ${answer.status}.` };
};

const descriptions = {
  MESSAGE_ID_REUSED: 'The bank has another message under this id.',
  MESSAGE_REFUSED: 'The bank could not read the message.',
} as const;

const refused = (code: keyof typeof descriptions): SubmitOutcome => ({
  kind: 'REFUSED',
  code,
  description: descriptions[code],
  endToEndIds: [],
});

type Receiver = {
  readonly secret: string;
  readonly account: HttpChannelSettings['account'];
  readonly nowMs: number;
};

// A notice is signed when it is sent; a longer tolerance would admit replays.
const toleranceMs = 300_000;

/** Verifies that the bank sent it now, about our account. Nothing else in it is read. */
export const readNotice = (receiver: Receiver, body: Buffer, signature: string): BankNotice => {
  const parts = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature);
  const [, stamp = '', digest = ''] = parts ?? [];
  if (!parts || !isSigned(receiver.secret, stamp, digest, body))
    return invalid('The notice is not signed by the bank.');
  if (Math.abs(receiver.nowMs - Number(stamp) * 1_000) > toleranceMs)
    return invalid('The notice is too old, or from another time.');
  const account = accountOf(body);
  if (!account) return invalid('The notice names no account.');
  const { sortCode, accountNumber } = receiver.account;
  const isOurs = account.sortCode === sortCode && account.accountNumber === accountNumber;
  return { kind: isOurs ? 'MESSAGES_WAIT' : 'OTHER_ACCOUNT' };
};

const isSigned = (secret: string, stamp: string, digest: string, body: Buffer): boolean => {
  const expected = createHmac('sha256', secret).update(`${stamp}.`).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(digest, 'hex'));
};

type NamedAccount = { readonly sortCode?: unknown; readonly accountNumber?: unknown };

const accountOf = (body: Buffer): NamedAccount | null => {
  try {
    const { account } = JSON.parse(body.toString('utf8')) as { account?: NamedAccount | null };
    return typeof account === 'object' ? account : null;
  } catch {
    return null;
  }
};

const invalid = (description: string): BankNotice => ({ kind: 'INVALID', description });

type HttpChannel = Channel & { readonly close: () => Promise<void> };

export const openHttpChannel = (settings: HttpChannelSettings): HttpChannel => {
  const agent = new Agent({ connections: 4 });
  const hub: Hub = { settings, agent };
  return {
    send: (message) => sendMessage(hub, message),
    sendUnlessThere: async (message) => {
      const found = await callHub(hub, { method: 'GET', path: `/messages/${message.messageId}` });
      if (found.kind === 'ANSWER' && found.status === 200) return { kind: 'SUBMITTED' };
      if (found.kind === 'ANSWER' && found.status === 404) return sendMessage(hub, message);
      return { kind: 'UNKNOWN', description: 'The bank does not say whether it has the message.' };
    },
    list: (limit) => listDeliveries(hub, limit),
    acknowledge: (reference, quarantineReason) =>
      acknowledgeDelivery(hub, reference, quarantineReason),
    reopen: (since) => reopenDeliveries(hub, since),
    close: () => agent.close(),
  };
};
