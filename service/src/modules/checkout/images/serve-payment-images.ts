import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Payment } from '#modules/payments/index.ts';
import { drawPng } from '#platform/draw-png.ts';
import { qrPng, qrSvg } from '#platform/qr.ts';
import { findLinkedPayment } from '../finish-authorisation.ts';
import type { PageTools } from '../payment-page.ts';
import { type Fields, pageIdOf } from '../request-fields.ts';
import { sendNotice } from '../send-page.ts';
import { drawDisplay } from './draw-display.ts';
import { drawReceipt } from './draw-receipt.ts';
import { type PaymentImage, paymentImage } from './payment-image.ts';

const codeSeconds = 86_400;
// A screen on a counter looks again to see that it was paid.
const stateSeconds = 3;
const displayPixels = 1_080;
const receiptPixels = 576;

type Draw = (image: PaymentImage) => string | Buffer;

const images: readonly (readonly [address: string, seconds: number, draw: Draw])[] = [
  ['/payment-qr-codes/:file.svg', codeSeconds, ({ link }) => qrSvg(link)],
  ['/payment-qr-codes/:file.png', codeSeconds, ({ link }) => qrPng(link)],
  ['/external-display_payment-qr-codes/:file.svg', stateSeconds, drawDisplay],
  [
    '/external-display-png_payment-qr-codes/:file.png',
    stateSeconds,
    (image) => drawPng(drawDisplay(image), displayPixels),
  ],
  ['/receipt-payment-qr-codes/:file.svg', stateSeconds, drawReceipt],
  [
    '/receipt-payment-qr-codes/:file.png',
    stateSeconds,
    (image) => drawPng(drawReceipt(image), receiptPixels),
  ],
];

/** Codes and templates of a payment request, at addresses that never expire (interface 2.3). */
export const servePaymentImages = (app: FastifyInstance, tools: PageTools): void => {
  for (const [address, seconds, draw] of images)
    app.get(address, async (request, reply) => {
      const id = pageIdOf({ paymentRequestId: (request.params as Fields).file });
      const found = id && (await findLinkedPayment(tools, id));
      if (!found) return sendNotice(reply, 404, 'en', { page: 'NOT_FOUND' });
      const type = address.endsWith('.png') ? 'image/png' : 'image/svg+xml';
      return sendImage(reply, type, seconds, found.payment, draw(imageOf(tools, found.payment)));
    });
};

const imageOf = (tools: PageTools, payment: Payment): PaymentImage =>
  paymentImage(payment, tools.publicUrl);

const sendImage = (
  reply: FastifyReply,
  type: string,
  seconds: number,
  payment: Payment,
  body: string | Buffer,
): FastifyReply =>
  reply
    .header('content-type', type)
    .header('cache-control', `public, max-age=${seconds}`)
    .header('etag', `"${payment.paymentRequestId}-${payment.version}"`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .header('access-control-allow-origin', '*')
    .send(body);
