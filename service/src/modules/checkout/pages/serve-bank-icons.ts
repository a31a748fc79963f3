import { bankIcon } from '@florin/checkout';
import type { FastifyInstance } from 'fastify';
import { environments } from '#kernel/environment.ts';
import type { BankRails } from '#modules/payments/index.ts';
import { rateClass } from '#platform/http/rate/limit-scope.ts';
import type { Pictures } from '#platform/read-pictures.ts';
import { type Fields, text } from '../input/fields.ts';
import { sendPicture } from './send-picture.ts';

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
