import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { failures } from '../../../contract/failures.ts';
import { failuresOf, operations } from '../../../contract/operations.ts';
import type { Route } from '../../../service/src/platform/http/route.ts';

/**
 * Watches every reply of a service under test. The failures seen are saved for the end of the run;
 * close throws if the contract does not name a failure for its operation.
 */
export const recordFailures = (app: FastifyInstance, routes: readonly Route[]) => {
  const byRoute = new Map(
    routes.map(({ operation }) => [`${operation.method} ${operation.path}`, operation]),
  );
  const seen = new Set<string>();
  const unnamed = new Set<string>();
  app.addHook('onSend', async (request, reply, payload) => {
    const operation = byRoute.get(`${request.method} ${request.routeOptions.url}`);
    if (!operation || reply.statusCode < 400 || typeof payload !== 'string') return;
    const { name } = JSON.parse(payload) as { name?: string };
    seen.add(`${operation.id} ${name}`);
    const named = failuresOf(operation).map((id) => failures[id]);
    if (!named.some((each) => each.name === name && each.status === reply.statusCode))
      unnamed.add(`${operation.id} answered ${reply.statusCode} ${name}`);
  });
  return {
    close: async (): Promise<void> => {
      const folder = process.env[seenFolderSetting];
      if (folder) await writeFile(join(folder, randomUUID()), [...seen].join('\n'));
      if (unnamed.size > 0)
        throw new Error(`the contract does not name it: ${[...unnamed].join('; ')}`);
    },
  };
};

/** For a service that is called over its socket: what callers saw is saved when the service closes. */
export const recordSeenFailures = () => {
  const seen = new Set<string>();
  return {
    see: (method: string, path: string, status: number, body: { readonly name?: string }): void => {
      if (status < 400) return;
      const operation = operations.find(
        (each) => each.method === method && patternOf(each.path).test(path.split('?')[0] ?? ''),
      );
      if (operation) seen.add(`${operation.id} ${body.name}`);
    },
    close: async (): Promise<void> => {
      const folder = process.env[seenFolderSetting];
      if (folder) await writeFile(join(folder, randomUUID()), [...seen].join('\n'));
    },
  };
};

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/[:{][^/]+/g, '[^/]+')}$`);

export const seenFolderSetting = 'FLORIN_FAILURES_SEEN';
