import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Log } from '#simulator/log.ts';
import { writePrivateFile } from '#simulator/trust/credentials.ts';
import { hubRoutes } from './hub-routes.ts';
import type { HubTools } from './model.ts';
import { silentNotifier, startNotifier } from './start-notifier.ts';
import { advanceTransfers } from './store/transfers.ts';
import { transferControlRoutes } from './transfer-control-routes.ts';

export type TransferHub = {
  // On the front channel, under a path of its own.
  readonly routes: (app: FastifyInstance) => Promise<void>;
  readonly control: (app: FastifyInstance) => Promise<void>;
  // Moves the clocks of transfers.
  readonly advance: (endToEndIds: readonly string[], milliseconds: number) => Promise<number>;
  readonly stop: () => Promise<void>;
};

type TransferSecrets = {
  // Clients show it.
  readonly secret: string;
  // The hub signs its notices with it.
  readonly noticeSecret: string;
};

type HubParts = {
  readonly tools: HubTools;
  readonly secrets: TransferSecrets;
  // Where notices go; undefined: nowhere.
  readonly noticeUrl: string | undefined;
  readonly log: Log;
};

export const openTransferHub = ({ tools, secrets, noticeUrl, log }: HubParts): TransferHub => {
  const { secret, noticeSecret } = secrets;
  const notifier =
    noticeUrl === undefined
      ? silentNotifier
      : startNotifier({ tools, url: noticeUrl, secret: noticeSecret, log });
  return {
    routes: (app) => hubRoutes(app, { tools, secret, notifier }),
    control: (app) => transferControlRoutes(app, tools, notifier.wake),
    advance: async (endToEndIds, milliseconds) => {
      const moved = await advanceTransfers(tools.pool, endToEndIds, milliseconds);
      notifier.wake();
      return moved;
    },
    stop: notifier.stop,
  };
};

export const openTransferSecrets = async (trustFolder: string): Promise<TransferSecrets> => ({
  secret: await openSecret(trustFolder, 'transfers.txt'),
  noticeSecret: await openSecret(trustFolder, 'transfer-notices.txt'),
});

// Created at the first start and stored: a restart is not a new client.
const openSecret = async (trustFolder: string, file: string): Promise<string> => {
  const path = join(trustFolder, 'private', file);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const secret = randomBytes(32).toString('hex');
    await writePrivateFile(path, secret);
    return secret;
  }
};
