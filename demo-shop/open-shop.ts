import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createPayment,
  createSigningSecret,
  type Florin,
  registerEndpoint,
} from './create-payment.ts';
import { drawOrder, drawTill, type Order, type Product } from './draw-till.ts';

const products: readonly Product[] = [
  { id: 'flat-white', name: 'Flat white', pence: 340 },
  { id: 'filter', name: 'Filter coffee', pence: 290 },
  { id: 'cinnamon-bun', name: 'Cinnamon bun', pence: 425 },
];

const bodyBytesMax = 65_536;
const eachMax = 20;

type Shop = {
  readonly florin: Florin;
  readonly signingSecret: string;
  readonly url: string;
  readonly orders: Map<string, Order>;
};

/** A till at its own address, paid through Florin. */
export const openShop = async (florin: Florin, port: number) => {
  const signingSecret = await createSigningSecret(florin);
  const orders = new Map<string, Order>();
  const server = createServer((request, reply) => {
    const { port: listening } = server.address() as AddressInfo;
    const shop = { florin, signingSecret, orders, url: `http://127.0.0.1:${listening}` };
    answer(shop, request, reply).catch((error: Error) => {
      reply.writeHead(500, { 'content-type': 'text/plain' }).end(error.message);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await registerEndpoint(florin, `${url}/webhook`);
  return {
    url,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

const answer = async (shop: Shop, request: IncomingMessage, reply: ServerResponse) => {
  const { pathname } = new URL(request.url ?? '/', shop.url);
  const called = `${request.method} ${pathname}`;
  if (called === 'GET /') return sendPage(reply, drawTill(products));
  if (called === 'POST /orders') return takeOrder(shop, request, reply);
  if (called === 'POST /webhook') return takeWebhook(shop, request, reply);
  const order = shop.orders.get(pathname.replace('/orders/', ''));
  return order ? sendPage(reply, drawOrder(order)) : reply.writeHead(404).end('Not here.');
};

/** The browser goes on to Florin's page; our price list says what it costs, not the form. */
const takeOrder = async (shop: Shop, request: IncomingMessage, reply: ServerResponse) => {
  const form = new URLSearchParams(String(await readBody(request)));
  const wanted = products.map((product) => ({ ...product, count: countOf(form.get(product.id)) }));
  const bought = wanted.filter(({ count }) => count > 0);
  if (bought.length === 0) return reply.writeHead(303, { location: '/' }).end();
  const order: Order = {
    id: randomBytes(6).toString('hex'),
    pence: bought.reduce((sum, { pence, count }) => sum + pence * count, 0),
    lines: bought.map(({ name, count }) => `${count} × ${name}`),
    status: 'OPEN',
    sequence: 0,
    events: [],
  };
  shop.orders.set(order.id, order);
  const { paymentUrl } = await createPayment(shop.florin, {
    orderId: order.id,
    pence: order.pence,
    redirectUrl: `${shop.url}/orders/${order.id}`,
  });
  return reply.writeHead(303, { location: paymentUrl }).end();
};

const countOf = (sent: string | null): number => {
  const count = Number(sent);
  return Number.isInteger(count) && count > 0 && count <= eachMax ? count : 0;
};

/** 200 only for what Florin has signed. Each event counts once, and an older one changes nothing. */
const takeWebhook = async (shop: Shop, request: IncomingMessage, reply: ServerResponse) => {
  const body = await readBody(request);
  const header = (name: string): string => String(request.headers[name] ?? '');
  if (!isGenuine(body, header('x-service-signature'), shop.signingSecret))
    return reply.writeHead(401).end();
  const event = JSON.parse(String(body)) as { readonly orderId: string; readonly status: string };
  const order = shop.orders.get(event.orderId);
  const id = header('x-service-event-id');
  if (order && !order.events.some((seen) => seen.id === id)) {
    order.events.push({ id, status: event.status, at: new Date().toLocaleTimeString('en-GB') });
    const sequence = Number(header('x-service-sequence'));
    if (sequence > order.sequence) Object.assign(order, { sequence, status: event.status });
  }
  return reply.writeHead(200).end();
};

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const sendPage = (reply: ServerResponse, html: string) =>
  reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);

/** Whether Florin signed these bytes with our signing secret: the raw body, before it is parsed. */
const isGenuine = (body: Buffer, signature: string, signingSecret: string): boolean => {
  const key = Buffer.from(signingSecret.replace('whsec_', ''), 'base64');
  const expected = Buffer.from(`v1=${createHmac('sha256', key).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
};
