import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const plain = /^[\w.-]{1,200}$/;

/** Before pages of this server set or read cookies. */
export const useCookies = (app: FastifyInstance, options: { readonly isSecure: boolean }): void => {
  app.decorate(secureCookies, options.isSecure);
};

const secureCookies = 'hasSecureCookies';

/** Customers reach these pages by TLS. */
const areSecure = (server: FastifyInstance): boolean => server.getDecorator<boolean>(secureCookies);

// With this prefix a browser takes a cookie from this host alone: no sibling domain can set it.
const nameOf = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name);

/** The value of a cookie that we have set; null where there is none or it is no plain word. */
export const readCookie = ({ headers, server }: FastifyRequest, name: string): string | null => {
  const prefix = `${nameOf(name, areSecure(server))}=`;
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
  return found !== undefined && plain.test(found) ? found : null;
};

/**
 * For this visit alone: it ends with the browser, no script reads it, and no other site sends it but
 * by a link. `ageSeconds` keeps it for longer.
 */
export const setCookie = (
  reply: FastifyReply,
  name: string,
  value: string,
  options: { readonly ageSeconds?: number } = {},
): void => {
  if (!plain.test(value)) throw new Error(`the cookie ${name} holds more than a plain word`);
  const isSecure = areSecure(reply.server);
  const parts = [`${nameOf(name, isSecure)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (options.ageSeconds !== undefined) parts.push(`Max-Age=${options.ageSeconds}`);
  if (isSecure) parts.push('Secure');
  reply.header('set-cookie', parts.join('; '));
};
