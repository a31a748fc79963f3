import type { ServerResponse } from 'node:http';
import { isDatabaseLost } from '#simulator/store/open-pool.ts';
import type { StandardVersion } from '../accounts/model.ts';
import type { Bank } from '../bank.ts';
import type { JsonObject } from '../ports.ts';
import { Refusal, unavailable } from '../refusal.ts';
import { paymentVersions } from './payment-versions.ts';
import { signMessage } from './sign-message.ts';

// Every answer with a body is signed, those that refuse as well.
export const answerJson = async (
  bank: Bank,
  response: ServerResponse,
  status: number,
  body: JsonObject,
): Promise<void> => {
  const bytes = Buffer.from(JSON.stringify(body));
  const signature = await signMessage(
    bytes,
    bank.signer,
    bank.tools.clock.now(),
    bank.profile.wire.signsRawBody,
  );
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-jws-signature': signature,
  });
  response.end(bytes);
};

export const answerRefusal = async (
  bank: Bank,
  version: StandardVersion,
  response: ServerResponse,
  refusal: Refusal,
): Promise<void> => {
  for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
  if (refusal.reasons.length === 0) {
    response.writeHead(refusal.httpStatus, { 'content-length': 0, 'cache-control': 'no-store' });
    response.end();
    return;
  }
  const id = bank.tools.random.id();
  const body = paymentVersions[version].errorBody(refusal.httpStatus, id, refusal.reasons);
  await answerJson(bank, response, refusal.httpStatus, body);
};

export const refusalFor = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error;
  if (isDatabaseLost(error)) return unavailable('The bank cannot reach its database.');
  return new Refusal(500, [{ code: 'U000', message: 'The bank made a mistake.' }]);
};
