import type { FastifyRequest } from 'fastify';

/** Written where a body is read. */
export const sentBodies = new WeakMap<FastifyRequest, Buffer>();

/** The body as it came, to be sent on. */
export const sentBody = (request: FastifyRequest): Buffer | null => {
  if (Buffer.isBuffer(request.body)) return request.body;
  const text = typeof request.body === 'string' ? Buffer.from(request.body) : null;
  return sentBodies.get(request) ?? text;
};
