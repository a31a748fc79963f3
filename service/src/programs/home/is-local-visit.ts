import type { IncomingHttpHeaders } from 'node:http';

export type Visit = {
  readonly headers: IncomingHttpHeaders;
  /** Of the visitor, as connected. */
  readonly remoteAddress: string | undefined;
  /** Where this server listens. */
  readonly listeningAddress: string | undefined;
  readonly publicUrl: string;
};

const loopbackAddress = /^(?:127\.|::1$|::ffff:127\.)/;
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

// A proxy on this machine connects from it too, for other callers: these headers show it.
const ofProxies = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip'];

/**
 * A visitor at this machine: the server listens on loopback, the connection comes from it, no proxy passed it
 * on, and the browser believes that it is on loopback. A page of another name that resolves to 127.0.0.1
 * sends that name as Host, and is refused. Where customers reach the server at another address, some
 * proxy stands before it, and one that adds no header would look like a visitor here.
 */
export const isLocalVisit = ({ headers, remoteAddress, listeningAddress, publicUrl }: Visit) =>
  loopbackAddress.test(listeningAddress ?? '') &&
  loopbackAddress.test(remoteAddress ?? '') &&
  loopbackHost.test(headers.host ?? '') &&
  loopbackHost.test(new URL(publicUrl).host) &&
  ofProxies.every((name) => headers[name] === undefined);
