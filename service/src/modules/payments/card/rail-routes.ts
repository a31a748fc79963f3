import { failures, limits } from '@florin/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Environment, environments, type Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { type CardRails, sharedCardEventsPath } from '#modules/cards/index.ts';
import { findUnlessMoving } from '#platform/database/find-unless-moving.ts';
import type { CardEvent, CardRail } from '#rails/card-rail.ts';
import { recordDispute } from './disputes.ts';
import type { RecordTools } from './outcomes.ts';
import { pollCardProcessor } from './poll-card-processor.ts';
import { type FoundCardAttempt, findCardAttempt } from './store/find-cards.ts';
import { reopenAnswer } from './store/reopen-answer.ts';

/** Reads a refund at the processor, which may change after its end. False: it is not ours. */
export type FollowRefund = (
  tenant: Tenant,
  refund: { readonly refundId: string; readonly attemptId: string },
) => Promise<boolean>;

export type FollowTools = RecordTools & {
  readonly cardRails: CardRails;
  readonly followRefund: FollowRefund;
};

/** Events of a processor. They are trusted only for what to read, server to server. */
export const railRoutes = (app: FastifyInstance, tools: FollowTools): void => {
  // The signature is over the bytes as received.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: limits.cardEventBytes },
    (_request, body, done) => done(null, body),
  );
  app.post(sharedCardEventsPath, async (request, reply) =>
    answer(tools, asList(await tools.cardRails.shared()), null, request, reply),
  );
  app.post('/api/rails/card-events/:merchantId/:environment', async (request, reply) => {
    const tenant = tenantOf(request.params);
    const rails = tenant ? await tools.cardRails.listOwn(tenant) : [];
    return answer(tools, rails, tenant, request, reply);
  });
};

const tenantOf = (params: unknown): Tenant | null => {
  const { merchantId, environment: word } = params as Record<'merchantId' | 'environment', string>;
  const environment = environments.find((known) => known === (word.toUpperCase() as Environment));
  return environment && isUuid(merchantId) ? { merchantId, environment } : null;
};

const asList = (rail: CardRail | null): readonly CardRail[] => (rail ? [rail] : []);

const answer = async (
  tools: FollowTools,
  rails: readonly CardRail[],
  tenant: Tenant | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const signature = request.headers['stripe-signature'];
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const read = await readEvent(rails, body, typeof signature === 'string' ? signature : '');
  if (!read) return reply.code(404).send({ received: false });
  const { rail, event } = read;
  if (event.kind === 'INVALID')
    return reply.code(400).send({ received: false, message: event.description });
  // The processor sends an event again when this fails: no poll is lost with this process.
  await follow(tools, rail, tenant, event);
  return reply.send({ received: true });
};

/** The account whose signature it bears, in use or former; else why the first does not take it. */
const readEvent = async (rails: readonly CardRail[], body: Buffer, signature: string) => {
  const read = await Promise.all(
    rails.map(async (rail) => ({ rail, event: await rail.readEvent(body, signature) })),
  );
  return read.find(({ event }) => event.kind !== 'INVALID') ?? read[0];
};

export const follow = async (
  tools: FollowTools,
  rail: CardRail,
  tenant: Tenant | null,
  event: Exclude<CardEvent, { readonly kind: 'INVALID' }>,
): Promise<void> => {
  if (event.kind === 'DISPUTE') return followDispute(tools, rail, tenant, event.reference);
  if (event.kind === 'UNUSED') return;
  const isRefund = event.kind === 'REFUND';
  const found = await attemptOf(tools, tenant, event);
  if (!found || (found.isHeardAlready && !isRefund) || !speaksFor(rail, tenant, found)) return;
  const { paymentRequestId, attemptId } = found;
  if (isRefund && event.refundId !== null) {
    const refund = { refundId: event.refundId, attemptId };
    if (await tools.followRefund(found.tenant, refund)) return;
  }
  await pollCardProcessor(
    tools,
    found.tenant,
    paymentRequestId,
    attemptId,
    isRefund ? 'REFUND_REPORTED' : 'REPORTED_BY_PROCESSOR',
  );
};

/** An account reports of what was made with it, and of its own merchant only. */
const speaksFor = (
  { accountKey }: CardRail,
  tenant: Tenant | null,
  found: FoundCardAttempt,
): boolean => found.accountKey === accountKey && (!tenant || isSame(found.tenant, tenant));

/** The payment first: its dispute may be reported before it. */
const followDispute = async (
  tools: FollowTools,
  rail: CardRail,
  tenant: Tenant | null,
  reference: string,
): Promise<void> => {
  const dispute = await rail.readDispute(reference);
  if (dispute.kind === 'UNKNOWN')
    throw new Failure(failures.unavailable, { message: dispute.description });
  const { attemptId } = dispute;
  const found = await attemptOf(tools, tenant, { attemptId, paymentReference: null });
  if (!found || !speaksFor(rail, tenant, found)) return;
  await pollCardProcessor(tools, found.tenant, found.paymentRequestId, found.attemptId);
  await recordDispute(tools, found, reference, dispute);
  await reopenAnswer(tools, found.tenant, reference);
};

type Reported = Extract<CardEvent, { readonly reference: string }>;

/** Throws where it may be of a merchant that is being moved, so that the event is sent again, or led on. */
export const attemptOf = (
  tools: FollowTools,
  tenant: Tenant | null,
  { attemptId, paymentReference }: Pick<Reported, 'attemptId' | 'paymentReference'>,
): Promise<FoundCardAttempt | null> => {
  const named = attemptId === null ? paymentReference && { paymentReference } : { attemptId };
  if (!named) return Promise.resolve(null);
  const find = () => findCardAttempt(tools, named);
  return findUnlessMoving(
    tools.database,
    tenant?.merchantId ?? null,
    find,
    (found) => found !== null,
  );
};

const isSame = (one: Tenant, other: Tenant): boolean =>
  one.merchantId === other.merchantId && one.environment === other.environment;
