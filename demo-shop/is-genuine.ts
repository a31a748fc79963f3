import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether Florin signed these bytes with our signing secret: the raw body, before it is parsed. */
export const isGenuine = (body: Buffer, signature: string, signingSecret: string): boolean => {
  const key = Buffer.from(signingSecret.replace('whsec_', ''), 'base64');
  const expected = Buffer.from(`v1=${createHmac('sha256', key).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
};
