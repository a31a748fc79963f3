import type { FastifyReply, FastifyRequest } from 'fastify';

const plain = /^[\w.-]{1,200}$/;

/** The value of a cookie that we have set; null where there is none or it is no plain word. */
export const readCookie = ({ headers }: FastifyRequest, name: string): string | null => {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
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
  options: { readonly isSecure: boolean; readonly ageSeconds?: number },
): void => {
  if (!plain.test(value)) throw new Error(`the cookie ${name} holds more than a plain word`);
  const parts = [`${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (options.ageSeconds !== undefined) parts.push(`Max-Age=${options.ageSeconds}`);
  if (options.isSecure) parts.push('Secure');
  reply.header('set-cookie', parts.join('; '));
};
