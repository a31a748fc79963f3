import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#simulator/log.ts';
import { isDatabaseLost } from '#simulator/store/database.ts';
import type { Bank } from '../bank.ts';
import type { JsonObject, StandardVersion } from '../model.ts';
import { HungUp } from '../payments/submit-payment.ts';
import { Refusal, unavailable } from '../refusal.ts';
import {
  deleteAccountConsent,
  getAccountConsent,
  postAccountConsent,
} from './account-consent-operations.ts';
import {
  getAccount,
  getAccounts,
  getAllBalances,
  getBalances,
  getTransactions,
} from './account-operations.ts';
import { recordRoutes } from './account-records.ts';
import type { Addresses } from './addresses.ts';
import type { Reply, Route } from './call.ts';
import { paymentRoutes } from './payment-operations.ts';
import { readBody } from './read-body.ts';
import { signMessage } from './sign-message.ts';
import { subscriptionRoutes } from './subscription-routes.ts';
import { wireVersions } from './versions.ts';

// A part of the standard: the standard signs no message about accounts.
type Area = {
  readonly url: 'payments' | 'accounts' | 'events';
  readonly isSigned: boolean;
  readonly routes: readonly Route[];
};

const payments: Area = {
  url: 'payments',
  isSigned: true,
  routes: paymentRoutes,
};

const accounts: Area = {
  url: 'accounts',
  isSigned: false,
  routes: [
    { path: /^\/+account-access-consents$/, methods: { POST: postAccountConsent } },
    {
      path: /^\/+account-access-consents\/+([^/]+)$/,
      methods: { GET: getAccountConsent, DELETE: deleteAccountConsent },
    },
    { path: /^\/+accounts$/, methods: { GET: getAccounts } },
    { path: /^\/+accounts\/+([^/]+)$/, methods: { GET: getAccount } },
    { path: /^\/+accounts\/+([^/]+)\/+balances$/, methods: { GET: getBalances } },
    { path: /^\/+accounts\/+([^/]+)\/+transactions$/, methods: { GET: getTransactions } },
    { path: /^\/+balances$/, methods: { GET: getAllBalances } },
    ...recordRoutes,
  ],
};

const events: Area = { url: 'events', isSigned: true, routes: subscriptionRoutes };
const nothing: Area = { ...payments, routes: [] };

type Place = { readonly area: Area; readonly version: StandardVersion; readonly path: string };

// Which part of the standard an address is in, and where in it.
const placeOf = (path: string, { profile }: Bank): Place => {
  const [, version, , area, inside = ''] =
    /^\/open-banking\/v(3\.1|4\.0)(\/(pisp|aisp)(?=\/))?(.*)$/.exec(path) ?? [];
  const at = { version: version === '3.1' ? '3.1' : '4.0', path: inside } as const;
  if (area === 'pisp') return { area: payments, ...at };
  if (area === 'aisp') return { area: accounts, ...at };
  const hasEvents = profile.wire.sendsEvents && inside.startsWith('/event-subscriptions');
  return { area: hasEvents ? events : nothing, ...at };
};

type Exchange = {
  readonly bank: Bank;
  readonly path: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
};

// Speaks raw HTTP: signatures are over exact bytes, and some banks hang up in the middle.
export const serveStandard = async (
  exchange: Exchange,
  addresses: Addresses,
  log: Log,
): Promise<void> => {
  const { bank, path, request, response } = exchange;
  const place = placeOf(path, bank);
  try {
    const { status, body, delayMs, cutConnection } = await replyTo(exchange, place, addresses);
    if (delayMs) await pause(delayMs);
    if (cutConnection) return void request.socket.destroy();
    await answer(bank, place, response, status, body);
  } catch (error) {
    if (error instanceof HungUp) return void request.socket.destroy();
    const refusal = refusalFor(error);
    if (refusal.httpStatus === 500) log('bank failed', { stack: (error as Error).stack });
    await answerRefusal(exchange, refusal);
  }
};

const replyTo = async (
  { bank, request }: Exchange,
  { area, version, path }: Place,
  addresses: Addresses,
): Promise<Reply> => {
  const body = await readBody(request);
  const route = area.routes.find((each) => each.path.test(path));
  if (!route) throw new Refusal(404, []);
  const operation = route.methods[request.method ?? ''];
  if (!operation) throw new Refusal(405, [], { allow: Object.keys(route.methods).join(', ') });
  return operation({
    ...{ bank, request, body, version, wire: wireVersions[version] },
    query: new URLSearchParams(/\?.*$/.exec(request.url ?? '')?.[0]),
    id: route.path.exec(path)?.[1] ?? '',
    baseUrl: addresses[area.url](bank.profile.id, version),
  });
};

export const answerRefusal = async (
  { bank, path, response }: Exchange,
  { httpStatus, reasons, headers }: Refusal,
): Promise<void> => {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const place = placeOf(path, bank);
  const body =
    reasons.length > 0
      ? wireVersions[place.version].errorBody(httpStatus, bank.tools.random.id(), reasons)
      : undefined;
  await answer(bank, place, response, httpStatus, body);
};

// Every signed part signs each answer with a body, those that refuse as well.
const answer = async (
  bank: Bank,
  { area }: Place,
  response: ServerResponse,
  status: number,
  body: JsonObject | undefined,
): Promise<void> => {
  const bytes = body && Buffer.from(JSON.stringify(body));
  const { signsRawBody } = bank.profile.wire;
  const signature =
    bytes && area.isSigned
      ? await signMessage(bytes, bank.signer, bank.tools.clock.now(), signsRawBody)
      : undefined;
  response.writeHead(status, {
    ...(bytes && { 'content-type': 'application/json; charset=utf-8' }),
    ...(status !== 204 && { 'content-length': bytes?.length ?? 0 }),
    'cache-control': 'no-store',
    ...(signature && { 'x-jws-signature': signature }),
  });
  response.end(bytes);
};

export const refusalFor = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error;
  if (isDatabaseLost(error)) return unavailable('The bank cannot reach its database.');
  return new Refusal(500, [{ code: 'U000', message: 'The bank made a mistake.' }]);
};
