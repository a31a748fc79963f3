import { failures } from '@florin/contract';
import type { FastifyInstance } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import { suggestPath } from './suggest-path.ts';

type Served = { readonly url: string; readonly path: RegExp; readonly method: string };

/** An address that no route has: 405 with `Allow` if it has another method, else 404 (WIRE-20). */
export const answerUnrouted = (app: FastifyInstance): void => {
  const served: Served[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    for (const each of [method].flat()) served.push({ url, path: patternOf(url), method: each });
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const found = served.filter((each) => each.path.test(path)).map(({ method }) => method);
    if (found.length === 0) {
      const meant = suggestPath(request.method, path, served);
      const suggestion = meant === null ? '' : ` Did you mean ${meant}?`;
      const message = `There is no ${request.method} ${path} here.${suggestion}`;
      throw new Failure(failures.notFound, { message });
    }
    const allowed = [...new Set(found)].sort().join(', ');
    reply.header('allow', allowed);
    throw new Failure(failures.methodNotAllowed, { message: `Use ${allowed} here.` });
  });
};

/** `/a/:id` as a pattern; one slash more at the end is tolerated. */
const patternOf = (url: string): RegExp => {
  const pattern = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+');
  return new RegExp(`^${pattern.replace(/\/$/, '')}/?$`);
};
