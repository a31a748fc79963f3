import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** A name of what is sent: other bytes, another name. */
export const tagOf = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, tagLength)}"`;

const tagLength = 22;

/** Whether the reader holds it already; it is then told so, in place of the bytes. */
export const isHeld = (reply: FastifyReply, tag: string): boolean => {
  reply.header('etag', tag);
  const isHeldNow = (reply.request.headers['if-none-match'] ?? '').includes(tag);
  if (isHeldNow) reply.code(304);
  return isHeldNow;
};

/** What is the same until its tag is another. */
export const sendTagged = (
  reply: FastifyReply,
  body: string | Buffer,
  tag: string = tagOf(body),
): FastifyReply => (isHeld(reply, tag) ? reply.send() : reply.send(body));
