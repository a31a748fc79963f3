import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#simulator/log.ts';
import type { StandardVersion } from '../accounts/model.ts';
import type { Bank } from '../bank.ts';
import { HungUp } from '../payments/submit-payment.ts';
import { Refusal } from '../refusal.ts';
import { answerJson, answerRefusal, refusalFor } from './answer-json.ts';
import type { Reply, Route } from './payment-call.ts';
import {
  getConsent,
  getFundsConfirmation,
  getPayment,
  getPaymentDetails,
  postConsent,
  postPayment,
} from './payment-operations.ts';
import { paymentVersions } from './payment-versions.ts';
import { readBody } from './read-body.ts';

type PaymentRequest = {
  readonly bank: Bank;
  readonly version: StandardVersion;
  readonly path: string;
  readonly routes: readonly Route[];
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly paymentsUrl: string;
  readonly log: Log;
};

// Speaks raw HTTP: signatures are over exact bytes, and some banks hang up in the middle.
export const servePayments = async (incoming: PaymentRequest): Promise<void> => {
  const { bank, version, request, response, log } = incoming;
  try {
    const reply = await replyTo(incoming);
    if (reply.delayMs) await pause(reply.delayMs);
    if (reply.cutConnection) return void request.socket.destroy();
    if (reply.body) await answerJson(bank, response, reply.status, reply.body);
    else response.writeHead(reply.status, { 'cache-control': 'no-store' }).end();
  } catch (error) {
    if (error instanceof HungUp) return void request.socket.destroy();
    const refusal = refusalFor(error);
    if (refusal.httpStatus === 500) log('bank failed', { stack: (error as Error).stack });
    await answerRefusal(bank, version, response, refusal);
  }
};

const replyTo = async (incoming: PaymentRequest): Promise<Reply> => {
  const { request, path, routes, bank, version, paymentsUrl } = incoming;
  const body = await readBody(request);
  const route = routes.find((each) => each.path.test(path));
  if (!route) throw new Refusal(404, []);
  const endpoint = route.methods[request.method ?? ''];
  if (!endpoint) throw new Refusal(405, [], { allow: Object.keys(route.methods).join(', ') });
  const id = route.path.exec(path)?.[1] ?? '';
  const wire = paymentVersions[version];
  return endpoint({ bank, version, wire, request, body, paymentsUrl, id });
};

export const paymentRoutes: readonly Route[] = [
  { path: /^\/domestic-payment-consents$/, methods: { POST: postConsent } },
  { path: /^\/domestic-payment-consents\/([^/]+)$/, methods: { GET: getConsent } },
  {
    path: /^\/domestic-payment-consents\/([^/]+)\/funds-confirmation$/,
    methods: { GET: getFundsConfirmation },
  },
  { path: /^\/domestic-payments$/, methods: { POST: postPayment } },
  { path: /^\/domestic-payments\/([^/]+)$/, methods: { GET: getPayment } },
  { path: /^\/domestic-payments\/([^/]+)\/payment-details$/, methods: { GET: getPaymentDetails } },
];
