import { constants, sign as signBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Journey } from '../../harness/open-journey.ts';

export type Planned = {
  readonly reference: string;
  readonly consent: string;
  /** When a notification last made it due. */
  readonly hintedAt: string | null;
  readonly polls: number;
  readonly inSeconds: number;
};

type Claims = Readonly<Record<string, unknown>>;

/** Notifications as a simulated bank signs them, or as somebody else would like to. */
export const bankEventSteps = (journey: Journey, bankId: string) => {
  const { sandbox, outside } = journey;
  const address = `/api/rails/bank-events/sandbox/${bankId}/open-banking/v4.0`;
  const keyOf = (id: string): Promise<string> =>
    readFile(join(outside.trustFolder, 'private', `${id}-signing-key.pem`), 'utf8');
  const kidOf = async (id: string): Promise<string> => {
    const keys = await fetch(`${sandbox.simulator.url}/banks/${id}/jwks`);
    return ((await keys.json()) as { keys: { kid: string }[] }).keys[0]?.kid ?? '';
  };
  const about = (rty: string, rid: string): Claims => ({
    events: {
      'urn:uk:org:openbanking:events:resource-update': {
        subject: { 'http://openbanking.org.uk/rty': rty, 'http://openbanking.org.uk/rid': rid },
      },
    },
  });
  const sign = async (claims: Claims, signer = bankId, kid?: string): Promise<string> => {
    const file = join(outside.trustFolder, 'registration.json');
    const { clientId } = JSON.parse(await readFile(file, 'utf8')) as { clientId: string };
    const usual = {
      iss: `${sandbox.simulator.url}/banks/${bankId}`,
      aud: clientId,
      iat: Math.floor(Date.now() / 1000),
    };
    const header = { alg: 'PS256', kid: kid ?? (await kidOf(signer)) };
    const input = [header, { ...usual, ...claims }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const signature = signBytes('sha256', Buffer.from(input), {
      ...{ key: await keyOf(signer), padding, saltLength: 32 },
    });
    return `${input}.${signature.toString('base64url')}`;
  };
  const post = async (
    token: string,
    type = 'application/jwt',
    path = `${address}/event-notifications`,
  ): Promise<number> => {
    const headers = { 'content-type': type };
    const reply = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body: token });
    const text = await reply.text();
    if (reply.status >= 500) throw new Error(`${reply.status} ${text}`);
    // Each refusal is the error body of the product.
    if (reply.status >= 400 && typeof JSON.parse(text).name !== 'string') throw new Error(text);
    return reply.status;
  };
  /** The next poll of the one attempt of a request. */
  const planned = async (id: string): Promise<Planned> => {
    const [row] = await sandbox.tools.database.system<{ id: string }, Planned>(
      {
        name: 'test_planned_poll',
        text: `select a.bank_payment_reference as reference, a.rail_reference as consent,
            p.hinted_at::text as "hintedAt", p.poll_count as polls,
            extract(epoch from p.poll_at - now())::int as "inSeconds"
          from attempt a join attempt_poll p on p.attempt_id = a.attempt_id
          where a.payment_request_id = $1::uuid`,
        valueNames: ['id'],
      },
      { id },
    );
    if (!row) throw new Error('no poll is planned');
    return row;
  };
  const consentOf = async (accountAuthId: string): Promise<string> => {
    const [row] = await sandbox.tools.database.system<{ id: string }, { consent: string }>(
      {
        name: 'test_consent_of_link',
        text: `select consent_reference as consent from bank_authorisation
          where authorisation_id = $1::uuid`,
        valueNames: ['id'],
      },
      { id: accountAuthId },
    );
    return row?.consent ?? '';
  };
  return { address, about, sign, post, planned, consentOf };
};
