import { bankIcon } from '@florin/checkout';
import type { FastifyInstance } from 'fastify';
import { readLogo } from '#modules/merchants/index.ts';
import { rateClass } from '#platform/http/rate/limit-scope.ts';
import type { Pictures } from '#platform/read-pictures.ts';
import type { Uses } from '#platform/tools.ts';
import { type Fields, text } from '../input/fields.ts';
import { forADay, forEver, sendPicture } from './send-picture.ts';

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
};
