import { bankIcon, type CheckoutAsset, checkoutAssets } from '@florin/checkout';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { environments } from '#kernel/environment.ts';
import { pictureTypes, readLogo } from '#modules/merchants/index.ts';
import type { BankRails } from '#modules/payments/index.ts';
import { compressText, type Encoding, encodingFor } from '#platform/http/compress-text.ts';
import { sendTagged } from '#platform/http/entity-tag.ts';
import { rateClass } from '#platform/http/rate/open-rate-limit.ts';
import type { Pictures } from '#platform/pictures.ts';
import { drawPng, drawPngWithin } from '#platform/qr.ts';
import type { Uses } from '#platform/tools.ts';
import { type Fields, text } from '../input/fields.ts';

type Kind = { readonly extension?: keyof typeof pictureTypes; readonly cache?: string };

/** Pages show it as an image, in which no script runs; opened by itself it is sandboxed. */
export const sendPicture = (
  reply: FastifyReply,
  picture: Buffer | string,
  { extension = 'svg', cache = forADay }: Kind = {},
): FastifyReply =>
  sendTagged(
    reply
      .header('content-type', pictureTypes[extension])
      .header('cache-control', cache)
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin'),
    picture,
  );

const daySeconds = 86_400;
const forADay = `public, max-age=${daySeconds}`;
/** For an address that is made from the bytes: what is there never changes. */
const forEver = `public, max-age=${365 * daySeconds}, immutable`;

const smallest = 11;

export const serveAssets = (app: FastifyInstance): void => {
  const { script, cardScript, cardEnd, cardForm } = checkoutAssets();
  for (const each of [script, cardScript, cardEnd]) serveScript(app, each, forEver);
  serveScript(app, cardForm, forADay);
};

const serveScript = (app: FastifyInstance, script: CheckoutAsset, cache: string): void => {
  const bodies = new Map<Encoding, Buffer>();
  const bodyIn = (encoding: Encoding): Buffer => {
    const body = bodies.get(encoding) ?? compressText(script.body, encoding, smallest);
    bodies.set(encoding, body);
    return body;
  };
  app.get(script.path, rateClass('ASSET'), (request, reply) => {
    const encoding = encodingFor(request.headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('cache-control', cache)
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('vary', 'accept-encoding');
    return sendTagged(reply, bodyIn(encoding));
  });
};

type IconTools = {
  readonly bankRails: Pick<BankRails, 'find'>;
  readonly pictures: Pictures;
};

/** The configured icon of a bank; else our own drawing, since a logo belongs to its bank. */
export const serveBankIcons = (app: FastifyInstance, { bankRails, pictures }: IconTools): void => {
  app.get('/bank-icons/:id.svg', rateClass('ASSET'), async (request, reply) => {
    const id = text((request.params as Fields).id);
    const bank = environments
      .flatMap((environment) => bankRails.find(environment)?.institutions() ?? [])
      .find((each) => each.id === id);
    const icon = pictures.find('banks', id);
    reply.code(bank || icon ? 200 : 404);
    return sendPicture(reply, icon ?? bankIcon(bank?.name ?? '?', bank?.colour ?? null, bank?.id));
  });
};

type LogoTools = Uses<'database'> & { readonly pictures: Pictures };

/** The logo that an operator gave a merchant, and that of the installation's folder. */
export const serveMerchantLogos = (app: FastifyInstance, tools: LogoTools): void => {
  app.get('/merchant-logos/:id/:file', rateClass('ASSET'), async (request, reply) => {
    const { id, file } = request.params as Fields;
    const logo = await readLogo(tools, text(id), text(file));
    reply.code(logo ? 200 : 404);
    const extension = logo && text(file).endsWith('.png') ? 'png' : 'svg';
    const cache = logo ? forEver : forADay;
    return sendPicture(reply, logo ?? bankIcon('?', null), { extension, cache });
  });
  app.get('/merchant-logos/:id.svg', rateClass('ASSET'), async (request, reply) => {
    const logo = tools.pictures.find('merchants', text((request.params as Fields).id));
    return sendPicture(reply.code(logo ? 200 : 404), logo ?? bankIcon('?', null));
  });
  serveMailLogos(app, tools);
};

/** The same as mail programs draw it: none of them knows SVG, and some keep to no size in a style. */
const serveMailLogos = (app: FastifyInstance, tools: LogoTools): void => {
  const send = async (reply: FastifyReply, path: string) => {
    const logo = await drawnLogo(tools, `/merchant-logos/${path}`);
    const drawn = logo ?? (await drawPng(inMailBox(bankIcon('?', null), 'svg+xml'), mailPixels));
    return sendPicture(reply.code(logo ? 200 : 404), drawn, { extension: 'png' });
  };
  app.get('/merchant-logos/:id/:file/mail.png', rateClass('IMAGE'), (request, reply) => {
    const { id, file } = request.params as Fields;
    return send(reply, `${text(id)}/${text(file)}`);
  });
  app.get('/merchant-logos/:id.svg/mail.png', rateClass('IMAGE'), (request, reply) =>
    send(reply, `${text((request.params as Fields).id)}.svg`),
  );
};

/** As a PNG, of the address that pages have it by; null where none is ours. */
export const drawnLogo = async (
  tools: LogoTools,
  address: string | null,
): Promise<Buffer | null> => {
  const [, id = '', file] =
    /^\/merchant-logos\/([^/]+?)(?:\/([^/]+)|\.svg)$/.exec(address ?? '') ?? [];
  if (id === '') return null;
  const logo =
    file === undefined ? tools.pictures.find('merchants', id) : await readLogo(tools, id, file);
  if (logo === null) return null;
  const isPng = file?.endsWith('.png');
  // What was looked at before it was stored is drawn by itself: a picture in a picture loses its words.
  const hasWords = !isPng && file !== undefined && /<text/.test(String(logo));
  // What has no size cannot be drawn: then a receipt has no logo.
  const drawn = hasWords ? await drawPngWithin(String(logo), mailBox).catch(() => null) : null;
  const type = isPng || drawn ? 'png' : 'svg+xml';
  return drawPng(inMailBox(drawn ?? logo, type, file?.includes('-square.')), mailPixels);
};

const mailPixels = 384;
const mailBox = { widthPixels: mailPixels, heightPixels: 132 };

/**
 * Whole, on white, in line with the text below, with the round corners that a square one has on pages; a
 * picture in a picture loads nothing.
 */
const inMailBox = (logo: Buffer | string, type: string, isSquare = false): string => {
  const [width, round] = isSquare ? [44, 10] : [128, 0];
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 44"><path fill="#fff" d="M0 0h128v44H0z"/>' +
    `<clipPath id="box"><rect width="${width}" height="44" rx="${round}"/></clipPath>` +
    '<image width="128" height="44" preserveAspectRatio="xMinYMid" clip-path="url(#box)" ' +
    `href="data:image/${type};base64,${Buffer.from(logo).toString('base64')}"/></svg>`
  );
};
