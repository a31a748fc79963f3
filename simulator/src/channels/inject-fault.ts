import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bank } from '#simulator/bank/bank.ts';
import { noticePage } from '#simulator/bank/pages/bank-page.ts';
import { Refusal, unavailable } from '#simulator/bank/refusal.ts';
import { answerRefusal } from '#simulator/bank/wire/serve.ts';
import type { Fault } from '#simulator/store/faults.ts';

const defaultDelayMs = 3_000;

export const faultOperations = ['consent', 'token', 'payment', 'read', 'authorize'] as const;
export const faultKinds = ['down', 'slow', 'cut-before', 'cut-after', 'status'] as const;

export const injectFault = async (
  fault: Fault,
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
    default:
      return refuse(exchange, ordered(fault.status ?? 500));
  }
};

type Operation = (typeof faultOperations)[number];

export const operationOf = (method: string, path: string): Operation | undefined => {
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
  if (path.startsWith('/open-banking/')) return answerRefusal(exchange, refusal);
  const isPage = path.startsWith('/auth');
  const text = 'The bank cannot be reached at the moment. Try again shortly.';
  const body = isPage
    ? noticePage(bank.profile, { title: 'The bank is not available', text })
    : JSON.stringify({ error: 'temporarily_unavailable', error_description: refusal.message });
  const type = isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
  response.writeHead(refusal.httpStatus, { ...refusal.headers, 'content-type': type });
  response.end(body);
};
