import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { answerAccountRefusal } from '#simulator/bank/account-wire/serve-accounts.ts';
import type { Bank } from '#simulator/bank/bank.ts';
import { noticePage } from '#simulator/bank/pages/bank-page.ts';
import { Refusal, unavailable } from '#simulator/bank/refusal.ts';
import { answerRefusal } from '#simulator/bank/wire/answer-json.ts';
import type { FaultOperation, InjectedFault } from '#simulator/store/fault-store.ts';

const defaultDelayMs = 3_000;

export const injectFault = async (
  fault: InjectedFault,
  exchange: Exchange,
  serve: () => Promise<void>,
): Promise<void> => {
  const { request, response } = exchange;
  switch (fault.kind) {
    case 'cut-before':
      request.socket.destroy();
      return;
    case 'cut-after':
      discardAnswer(request, response);
      return serve();
    case 'slow':
      await pause(fault.milliseconds ?? defaultDelayMs);
      return serve();
    case 'down':
      return refuse(exchange, unavailable('The bank is down.'));
    case 'status':
      return refuse(exchange, ordered(fault.status ?? 500));
  }
};

export const operationOf = (method: string, path: string): FaultOperation | undefined => {
  if (path === '/token') return 'token';
  if (path === '/par' || path === '/auth') return 'authorize';
  if (!path.startsWith('/open-banking/')) return undefined;
  if (method === 'GET') return 'read';
  if (/\/(domestic-payment|account-access)-consents$/.test(path)) return 'consent';
  return path.endsWith('/domestic-payments') ? 'payment' : undefined;
};

export type Exchange = {
  readonly bank: Bank;
  readonly path: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
};

// Does the work and cuts the connection instead of answering.
const discardAnswer = (request: IncomingMessage, response: ServerResponse): void => {
  const cut = () => {
    request.socket.destroy();
    return response;
  };
  response.writeHead = () => response;
  response.write = () => true;
  response.end = cut;
};

const ordered = (status: number): Refusal =>
  new Refusal(
    status,
    hasBody(status) ? [{ code: 'U000', message: `Answered ${status} on request.` }] : [],
    status === 429 ? { 'retry-after': '30' } : {},
  );

/** The standard describes an error body for these alone. */
const hasBody = (status: number): boolean => status >= 500 || [400, 403, 422].includes(status);

export const refuse = async (exchange: Exchange, refusal: Refusal): Promise<void> => {
  const { bank, path, request, response } = exchange;
  request.resume();
  const accountsVersion = /^\/open-banking\/v(3\.1|4\.0)\/aisp\//.exec(path)?.[1];
  if (accountsVersion) {
    const version = accountsVersion === '3.1' ? '3.1' : '4.0';
    return answerAccountRefusal(bank, version, response, refusal);
  }
  if (path.startsWith('/open-banking/')) {
    const version = path.startsWith('/open-banking/v3.1/') ? '3.1' : '4.0';
    return answerRefusal(bank, version, response, refusal);
  }
  const isPage = path.startsWith('/auth');
  const text = 'The bank cannot be reached at the moment. Try again shortly.';
  const body = isPage
    ? noticePage(bank.profile, { title: 'The bank is not available', text })
    : JSON.stringify({ error: 'temporarily_unavailable', error_description: refusal.message });
  const type = isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
  response.writeHead(refusal.httpStatus, { ...refusal.headers, 'content-type': type });
  response.end(body);
};
