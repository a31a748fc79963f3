import { bankIcon } from '@florin/checkout';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { environments } from '#kernel/environment.ts';
import type { BankRails } from '#modules/payments/index.ts';
import { rateClass } from '#platform/http/rate/limit-scope.ts';
import type { Pictures } from '#platform/read-pictures.ts';
import { type Fields, text } from '../input/fields.ts';

const daySeconds = 86_400;

type IconTools = { readonly bankRails: BankRails; readonly pictures: Pictures };

/**
 * The configured icon of a bank or logo of a merchant; else our own drawing, since a logo belongs to
 * its bank. Pages show it as an image, in which no script runs; opened by itself it is sandboxed.
 */
export const serveBankIcons = (app: FastifyInstance, { bankRails, pictures }: IconTools): void => {
  app.get('/bank-icons/:id.svg', rateClass('ASSET'), async (request, reply) => {
    const id = text((request.params as Fields).id);
    const bank = environments
      .flatMap((environment) => bankRails.find(environment)?.institutions() ?? [])
      .find((each) => each.id === id);
    const icon = pictures.find('banks', id);
    reply.code(bank || icon ? 200 : 404);
    return sendSvg(reply, icon ?? bankIcon(bank?.name ?? '?', bank?.colour ?? null, bank?.id));
  });
  app.get('/merchant-logos/:id.svg', rateClass('ASSET'), async (request, reply) => {
    const logo = pictures.find('merchants', text((request.params as Fields).id));
    return sendSvg(reply.code(logo ? 200 : 404), logo ?? bankIcon('?', null));
  });
};

const sendSvg = (reply: FastifyReply, picture: Buffer | string): FastifyReply =>
  reply
    .header('content-type', 'image/svg+xml')
    .header('cache-control', `public, max-age=${daySeconds}`)
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .send(picture);
