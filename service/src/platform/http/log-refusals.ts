import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setBounded } from '#kernel/set-bounded.ts';
import type { Uses } from '../tools.ts';
import { errorReply } from './error-reply.ts';
import { addressPrefix } from './log-requests.ts';

type Window = { readonly endsMs: number; others: number };
type Known = FastifyRequest & { personId: string | null };

const windowMs = 60_000;
const windowsMax = 10_000;
// Whoever may not, or not so often; a wrong secret and a wrong sign-in have lines of their own.
const logged = new Set([403, 429]);

/**
 * A line for each who was refused what they may not do, or do so often: one a minute of a network or a
 * person, with how many more there were in the minute before.
 */
export const logRefusals = (app: FastifyInstance, { log, clock }: Uses<'log' | 'clock'>): void => {
  const windows = new Map<string, Window>();
  app.decorateRequest('personId', null);
  app.addHook('onError', (request, _, error, done) => {
    const { statusCode, body } = errorReply(error);
    done();
    if (!logged.has(statusCode)) return;
    const { personId } = request as Known;
    const address = addressPrefix(request.ip);
    const key = `${personId ?? address} ${body.name}`;
    const nowMs = clock.now().getTime();
    const known = windows.get(key);
    if (known && known.endsMs > nowMs) {
      known.others += 1;
      return;
    }
    setBounded(windows, key, { endsMs: nowMs + windowMs, others: 0 }, windowsMax);
    const { method, routeOptions, id: requestId } = request;
    const route = `${method} ${routeOptions.url ?? 'none'}`;
    log.warn(
      { requestId, address, personId, route, failure: body.name, othersBefore: known?.others ?? 0 },
      'a call was refused',
    );
  });
};

/** The person is named in the line of their refusal. */
export const notePersonOf = (request: FastifyRequest, personId: string): void => {
  (request as Known).personId = personId;
};
