import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '#platform/config.ts';
import type { Uses } from '#platform/tools.ts';

export type WellKnown = Uses<'clock'> & {
  readonly publicUrl: string;
  readonly config: Pick<Config, 'securityContact'>;
};

const validMs = 180 * 24 * 3_600_000;

/** What programs look for at any host: the addresses that may be indexed, and who hears of a weakness. */
export const wellKnownRoutes = (app: FastifyInstance, options: WellKnown): void => {
  const { publicUrl, clock, config } = options;
  app.get('/robots.txt', (_, reply) => sendText(reply, robots));
  const contact = config.securityContact;
  if (contact === null) return;
  app.get('/.well-known/security.txt', (_, reply) => {
    const expires = new Date(clock.now().getTime() + validMs).toISOString().slice(0, 10);
    return sendText(reply, [
      `Contact: ${contact}`,
      `Expires: ${expires}T00:00:00Z`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ]);
  });
};

/** The documentation, and no page of a payment, whose address is its key. */
const robots = ['User-agent: *', 'Allow: /docs', 'Allow: /$', 'Disallow: /'];

const sendText = (reply: FastifyReply, lines: readonly string[]): FastifyReply =>
  reply
    .header('content-type', 'text/plain; charset=utf-8')
    .header('cache-control', `public, max-age=${24 * 3_600}`)
    .send(`${lines.join('\n')}\n`);
