import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

// Whoever does not show this token gets a 401.
export const refuseWithout = (app: FastifyInstance, token: string, refusal: object): void => {
  app.addHook('onRequest', async (request, reply) => {
    if (isSame(request.headers.authorization, `Bearer ${token}`)) return;
    await reply.code(401).send(refusal);
  });
};

export const isSame = (one = '', other: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
};
