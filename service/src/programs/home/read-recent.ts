import type { listWebhookDeliveries, ReplyOf, searchTransactions } from '@florin/contract';
import type { FastifyInstance } from 'fastify';

type Payments = ReplyOf<typeof searchTransactions>['data'];
type Deliveries = ReplyOf<typeof listWebhookDeliveries>['data'];
type CaughtMail = {
  readonly subject: string;
  readonly to: string | null;
  readonly createdAt: string;
};

export type Recent = {
  readonly payments: Payments;
  readonly endpoints: readonly { readonly url: string; readonly deliveries: Deliveries }[];
  readonly mails: readonly (CaughtMail & { readonly text: string })[];
};

const shownRows = 5;
const shownEndpoints = 3;

export type CaughtMails = (limit: number) => Promise<Recent['mails']>;

/** What the demo merchant sees, read as it would: through the API, with its own secret. */
export const readRecent = async (
  app: FastifyInstance,
  secret: string,
  caughtMails: CaughtMails,
): Promise<Recent> => {
  const call = async <Reply>(method: 'GET' | 'POST', url: string): Promise<Reply> => {
    const headers = { authorization: `Bearer ${secret}` };
    const body = method === 'POST' ? { payload: {} } : {};
    const reply = await app.inject({ method, url, headers, ...body });
    if (reply.statusCode !== 200) throw new Error(`${url} answered ${reply.statusCode}`);
    return reply.json();
  };
  const [found, listed, receipts, alerts, toPeople] = await Promise.all([
    call<{ data: Payments }>('POST', `/api/payments/transactions?size=${shownRows}`),
    call<{ data: readonly { id: string; url: string }[] }>('GET', '/api/webhook/v2/endpoints'),
    call<Recent['mails']>('GET', `/api/payments/receipt-mails?limit=${shownRows}`),
    call<Recent['mails']>('GET', `/api/webhook/mails?limit=${shownRows}`),
    caughtMails(shownRows),
  ]);
  const endpoints = listed.data.slice(0, shownEndpoints).map(async ({ id, url }) => {
    const path = `/api/webhook/v2/endpoints/${id}/deliveries?limit=${shownRows}`;
    return { url, deliveries: (await call<{ data: Deliveries }>('GET', path)).data };
  });
  const mails = [...receipts, ...alerts, ...toPeople].sort((one, other) =>
    one.createdAt < other.createdAt ? 1 : -1,
  );
  return {
    payments: found.data,
    endpoints: await Promise.all(endpoints),
    mails: mails.slice(0, shownRows),
  };
};
