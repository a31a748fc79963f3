import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Log } from '#simulator/log.ts';
import { keepSecret } from '#simulator/trust/credentials.ts';
import { hubRoutes } from './hub-routes.ts';
import type { HubTools } from './model.ts';
import { silentNotifier, startNotifier } from './start-notifier.ts';
import { advanceDebtors } from './store/controls.ts';
import { advanceTransfers } from './store/transfers.ts';
import { transferControlRoutes } from './transfer-control-routes.ts';

type HubParts = {
  readonly tools: HubTools;
  // Clients show `secret`; the hub signs its notices with the other.
  readonly secrets: { readonly secret: string; readonly noticeSecret: string };
  // Where notices go; undefined: nowhere.
  readonly noticeUrl: string | undefined;
  readonly log: Log;
};

export type TransferHub = ReturnType<typeof openTransferHub>;

export const openTransferHub = ({ tools, secrets, noticeUrl, log }: HubParts) => {
  const { secret, noticeSecret } = secrets;
  const notifier =
    noticeUrl === undefined
      ? silentNotifier
      : startNotifier({ tools, url: noticeUrl, secret: noticeSecret, log });
  return {
    // On the front channel, under a path of its own.
    routes: (app: FastifyInstance) => hubRoutes(app, { tools, secret, notifier }),
    control: (app: FastifyInstance) => transferControlRoutes(app, tools, notifier.wake),
    // Moves the clocks of transfers.
    advance: async (endToEndIds: readonly string[], milliseconds: number): Promise<number> => {
      const moved = await advanceTransfers(tools.database, endToEndIds, milliseconds);
      notifier.wake();
      return moved;
    },
    // Moves the clocks of those on whose behalf transfers will be ordered.
    advanceDebtors: (ids: readonly string[], milliseconds: number) =>
      advanceDebtors(tools.database, ids, milliseconds),
    stop: notifier.stop,
  };
};

export const openTransferSecrets = async (trustFolder: string): Promise<HubParts['secrets']> => {
  const make = () => randomBytes(32).toString('hex');
  return {
    secret: await keepSecret(trustFolder, 'transfers.txt', make),
    noticeSecret: await keepSecret(trustFolder, 'transfer-notices.txt', make),
  };
};
