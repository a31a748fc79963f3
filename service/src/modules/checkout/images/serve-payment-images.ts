import type { FastifyInstance } from 'fastify';
import { setBounded } from '#kernel/set-bounded.ts';
import { isHeld, tagOf } from '#platform/http/entity-tag.ts';
import { rateClass } from '#platform/http/rate/open-rate-limit.ts';
import { drawPng, qrPng, qrSvg } from '#platform/qr.ts';
import { type Fields, pageIdOf } from '../input/fields.ts';
import type { PageTools } from '../pages/payment-page.ts';
import { findPaymentOfPage } from '../pages/payment-page.ts';
import { sendNotice } from '../pages/send-page.ts';
import { drawDisplay } from './draw-display.ts';
import { drawSlip } from './draw-slip.ts';
import { type PaymentImage, paymentImage } from './payment-image.ts';

const codeSeconds = 86_400;
// A screen on a counter looks again to see that it was paid.
const stateSeconds = 3;
const displayPixels = 1_080;
const slipPixels = 576;
const maxDrawn = 200;

type Draw = (image: PaymentImage) => string | Buffer | Promise<Buffer>;

const images: readonly (readonly [address: string, seconds: number, draw: Draw])[] = [
  ['/payment-qr-codes/:file.svg', codeSeconds, ({ link }) => qrSvg(link)],
  ['/payment-qr-codes/:file.png', codeSeconds, ({ link }) => qrPng(link)],
  ['/external-display_payment-qr-codes/:file.svg', stateSeconds, drawDisplay],
  [
    '/external-display-png_payment-qr-codes/:file.png',
    stateSeconds,
    (image) => drawPng(drawDisplay(image), displayPixels),
  ],
  ['/receipt-payment-qr-codes/:file.svg', stateSeconds, drawSlip],
  [
    '/receipt-payment-qr-codes/:file.png',
    stateSeconds,
    (image) => drawPng(drawSlip(image), slipPixels),
  ],
];

/** QR codes and images of a payment request, at addresses that never expire (REQUEST-2). */
export const servePaymentImages = (app: FastifyInstance, tools: PageTools): void => {
  const drawnOnce = storeDrawn();
  for (const [address, seconds, draw] of images)
    app.get(address, rateClass('IMAGE'), async (request, reply) => {
      const id = pageIdOf({ paymentRequestId: (request.params as Fields).file });
      const found = id && (await findPaymentOfPage(tools, id));
      if (!found) return sendNotice(reply, 404, 'en', { page: 'NOT_FOUND' });
      // Everything drawn: time, or another merchant name, makes another image.
      const image = paymentImage(found.payment, tools.publicUrl);
      const etag = tagOf(JSON.stringify(image));
      reply
        .header('cache-control', `public, max-age=${seconds}`)
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .header('access-control-allow-origin', '*');
      // A screen that reloads every few seconds gets the stored image.
      if (isHeld(reply, etag)) return reply.send();
      const type = address.endsWith('.png') ? 'image/png' : 'image/svg+xml; charset=utf-8';
      const drawn = await drawnOnce(`${address} ${etag}`, async () => draw(image));
      return reply.header('content-type', type).send(drawn);
    });
};

/** The images drawn last: many screens ask for the same, and again every few seconds. */
const storeDrawn = () => {
  const drawn = new Map<string, Promise<string | Buffer>>();
  return (key: string, draw: () => Promise<string | Buffer>): Promise<string | Buffer> => {
    const image = drawn.get(key) ?? draw();
    setBounded(drawn, key, image, maxDrawn);
    image.catch(() => drawn.delete(key));
    return image;
  };
};
