import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from(process.env.SIGNING_SECRET.replace('whsec_', ''), 'base64');

createServer(async (request, reply) => {
  const body = Buffer.concat(await request.toArray());
  const expected = `v1=${createHmac('sha256', key).update(body).digest('hex')}`;
  const given = String(request.headers['x-service-signature']).padEnd(expected.length, ' ');
  const isGenuine =
    given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
  if (isGenuine) process.stdout.write(`verified ${body}\n`);
  reply.writeHead(isGenuine ? 200 : 401).end();
}).listen(4000, '127.0.0.1');
