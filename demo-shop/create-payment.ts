export type Florin = { readonly url: string; readonly secret: string };

type NewPayment = {
  readonly orderId: string;
  readonly pence: number;
  readonly redirectUrl: string;
};

const callFlorin = async <Reply>(
  { url, secret }: Florin,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> => {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await reply.json()) as Reply & { readonly message?: string };
  if (!reply.ok) throw new Error(`Florin answered ${reply.status}: ${answer.message}`);
  return answer;
};

/** The order's id as Idempotency-Key: sent again after a lost answer, it makes no second payment. */
export const createPayment = (florin: Florin, payment: NewPayment) =>
  callFlorin<{ readonly paymentUrl: string }>(
    florin,
    'POST',
    '/api/payments/process-payment',
    {
      customerId: 'till-1',
      orderId: payment.orderId,
      amount: payment.pence / 100,
      expiresIn: 15 * 60 * 1000,
      redirectUrl: payment.redirectUrl,
    },
    { 'idempotency-key': payment.orderId },
  );

/** In the sandbox; in production `npm run merchant` makes it. */
export const createSigningSecret = async (florin: Florin): Promise<string> => {
  const path = '/api/sandbox/webhook/signing-secret';
  const made = await callFlorin<{ readonly signingSecret: string }>(florin, 'POST', path);
  return made.signingSecret;
};

type Endpoints = {
  readonly data: readonly { readonly id: string; readonly description: string }[];
};

const description = 'Demo shop';

/** Takes the place of the endpoint of an earlier start. */
export const registerEndpoint = async (florin: Florin, url: string): Promise<void> => {
  const path = '/api/webhook/v2/endpoints';
  const { data } = await callFlorin<Endpoints>(florin, 'GET', path);
  for (const each of data)
    if (each.description === description) await callFlorin(florin, 'DELETE', `${path}/${each.id}`);
  await callFlorin(florin, 'POST', path, { url, events: ['PAYMENTS_STATUS'], description });
};
