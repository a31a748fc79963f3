import type { FastifyReply } from 'fastify';
import { pictureTypes } from '#modules/merchants/index.ts';

type Kind = { readonly extension?: keyof typeof pictureTypes; readonly cache?: string };

/** Pages show it as an image, in which no script runs; opened by itself it is sandboxed. */
export const sendPicture = (
  reply: FastifyReply,
  picture: Buffer | string,
  { extension = 'svg', cache = forADay }: Kind = {},
): FastifyReply =>
  reply
    .header('content-type', pictureTypes[extension])
    .header('cache-control', cache)
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .send(picture);

const daySeconds = 86_400;
export const forADay = `public, max-age=${daySeconds}`;
/** For an address that is made from the bytes: what is there never changes. */
export const forEver = `public, max-age=${365 * daySeconds}, immutable`;
