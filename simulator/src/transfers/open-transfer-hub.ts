import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { writePrivateFile } from '#simulator/trust/write-private-file.ts';
import { transferControlRoutes } from './control/transfer-control-routes.ts';
import { hubRoutes } from './hub-routes.ts';
import type { HubTools } from './hub-tools.ts';
import { advanceTransfers } from './store/advance-transfers.ts';

export type TransferHub = {
  // On the front channel, under a path of its own.
  readonly routes: (app: FastifyInstance) => Promise<void>;
  readonly control: (app: FastifyInstance) => Promise<void>;
  // Moves the clocks of transfers.
  readonly advance: (endToEndIds: readonly string[], milliseconds: number) => Promise<number>;
};

export const openTransferHub = (tools: HubTools, secret: string): TransferHub => ({
  routes: (app) => hubRoutes(app, { tools, secret }),
  control: (app) => transferControlRoutes(app, tools),
  advance: (endToEndIds, milliseconds) => advanceTransfers(tools.pool, endToEndIds, milliseconds),
});

// Created at the first start and stored: a restart is not a new client.
export const openTransferSecret = async (trustFolder: string): Promise<string> => {
  const path = join(trustFolder, 'private', 'transfers.txt');
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const secret = randomBytes(32).toString('hex');
    await writePrivateFile(path, secret);
    return secret;
  }
};
