export type Florin = { readonly url: string; readonly secret: string };

// biome-ignore lint/suspicious/noExplicitAny: the callers read members that the contract promises.
type Body = any;

const maxAttempts = 8;

/**
 * One operation of the merchant API. `429`, `503` and a lost connection are tried again under the
 * same key, so nothing happens twice.
 */
export const callFlorin = async (
  { url, secret }: Florin,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  sent: { readonly body?: object; readonly key?: string } = {},
  attempts = maxAttempts,
): Promise<Body> => {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await send(url, secret, method, path, sent);
    if (reply?.ok) return reply.json();
    const isBusy = !reply || reply.status === 429 || reply.status === 503;
    if (isBusy && attempt < attempts) {
      await reply?.arrayBuffer();
      const seconds = Number(reply?.headers.get('retry-after') ?? attempt);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    } else if (reply) throw await readRefusal(reply, `${method} ${path}`);
    else
      throw new Refusal('NO_ANSWER', `Florin does not answer at ${url}. Start it with: npm start`);
  }
};

const send = (
  url: string,
  secret: string,
  method: string,
  path: string,
  { body, key }: { readonly body?: object; readonly key?: string },
): Promise<Response | null> =>
  fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => null);

const readRefusal = async (reply: Response, what: string): Promise<Refusal> => {
  const body = (await reply.json().catch(() => ({}))) as { name?: string; message?: string };
  const name = body.name ?? String(reply.status);
  return new Refusal(name, `${what}: ${body.message ?? reply.statusText}`);
};

/** Refused by the product: its sentence, for the summary at the end. */
export class Refusal extends Error {
  readonly refusedAs: string;

  constructor(refusedAs: string, message: string) {
    super(message);
    this.refusedAs = refusedAs;
  }
}
