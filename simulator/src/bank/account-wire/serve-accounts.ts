import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '#simulator/log.ts';
import type { StandardVersion } from '../accounts/model.ts';
import type { Bank } from '../bank.ts';
import type { JsonObject } from '../ports.ts';
import { Refusal } from '../refusal.ts';
import { refusalFor } from '../wire/answer-json.ts';
import { readBody } from '../wire/read-body.ts';
import type { AccountReply, Operation } from './account-call.ts';
import { getAccount, getAccounts, getBalances, getTransactions } from './account-operations.ts';
import { version3, version4 } from './account-versions.ts';
import {
  deleteAccountConsent,
  getAccountConsent,
  postAccountConsent,
} from './consent-operations.ts';

type Route = {
  readonly path: RegExp;
  readonly methods: Readonly<Record<string, Operation>>;
};

const routes: readonly Route[] = [
  { path: /^\/account-access-consents$/, methods: { POST: postAccountConsent } },
  {
    path: /^\/account-access-consents\/([^/]+)$/,
    methods: { GET: getAccountConsent, DELETE: deleteAccountConsent },
  },
  { path: /^\/accounts$/, methods: { GET: getAccounts } },
  { path: /^\/accounts\/([^/]+)$/, methods: { GET: getAccount } },
  { path: /^\/accounts\/([^/]+)\/balances$/, methods: { GET: getBalances } },
  { path: /^\/accounts\/([^/]+)\/transactions$/, methods: { GET: getTransactions } },
];

const wireVersions = { '3.1': version3, '4.0': version4 } as const;

type AccountRequest = {
  readonly bank: Bank;
  readonly version: StandardVersion;
  readonly path: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly accountsUrl: string;
  readonly log: Log;
};

// The standard signs no message of this part.
export const serveAccounts = async (incoming: AccountRequest): Promise<void> => {
  const { bank, version, response, log } = incoming;
  try {
    const { status, body } = await replyTo(incoming);
    send(response, status, body);
  } catch (error) {
    const refusal = refusalFor(error);
    if (refusal.httpStatus === 500) log('bank failed', { stack: (error as Error).stack });
    answerAccountRefusal(bank, version, response, refusal);
  }
};

export const answerAccountRefusal = (
  bank: Bank,
  version: StandardVersion,
  response: ServerResponse,
  { httpStatus, reasons, headers }: Refusal,
): void => {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const id = bank.tools.random.id();
  const body = wireVersions[version].errorBody(httpStatus, id, reasons);
  send(response, httpStatus, reasons.length > 0 ? body : undefined);
};

const replyTo = async (incoming: AccountRequest): Promise<AccountReply> => {
  const { bank, request, path, version, accountsUrl } = incoming;
  const body = await readBody(request);
  const route = routes.find((each) => each.path.test(path));
  if (!route) throw new Refusal(404, []);
  const operation = route.methods[request.method ?? ''];
  if (!operation) throw new Refusal(405, [], { allow: Object.keys(route.methods).join(', ') });
  return operation({
    ...{ bank, request, body, version, accountsUrl },
    wire: wireVersions[version],
    query: new URLSearchParams(/\?.*$/.exec(request.url ?? '')?.[0]),
    id: route.path.exec(path)?.[1] ?? '',
  });
};

const send = (response: ServerResponse, status: number, body: JsonObject | undefined): void => {
  const bytes = body && Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...(bytes && { 'content-type': 'application/json; charset=utf-8' }),
    ...(status !== 204 && { 'content-length': bytes?.length ?? 0 }),
    'cache-control': 'no-store',
  });
  response.end(bytes);
};
