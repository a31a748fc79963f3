import type { FastifyRequest } from 'fastify';

const loopbackAddress = /^(?:127\.|::1$|::ffff:127\.)/;
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

// A proxy on this machine connects from it too, for other callers: these headers show it.
const ofProxies = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip'];

/**
 * A visitor at this machine: the connection ends on loopback at both sides, no proxy passed it on, and
 * the browser believes that it is on loopback. A page of another name that resolves to 127.0.0.1 sends that
 * name as Host, and is refused.
 */
export const isLocalVisit = ({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>) =>
  loopbackAddress.test(socket.remoteAddress ?? '') &&
  loopbackAddress.test(socket.localAddress ?? '') &&
  loopbackHost.test(headers.host ?? '') &&
  ofProxies.every((name) => headers[name] === undefined);
