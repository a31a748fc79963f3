import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FieldsLook, IntentRecord, SessionRecord, SetupRecord } from '../model.ts';
import {
  answerChallenge,
  paySession,
  type SessionState,
  savedCardsOf,
  sessionStateOf,
} from '../operations/pay-session.ts';
import { answerSetupChallenge } from '../operations/setups.ts';
import type { CardTools } from '../ports.ts';
import type { ChallengeDecision } from '../rules/authenticate.ts';
import { openTransaction } from '../transaction/transaction.ts';
import { type CardPage, challengePage, noticePage } from './card-page.ts';
import { fieldsScript, frameScript } from './field-scripts.ts';
import { type PayView, payPage, readCard, type TypedCard, walletCard } from './pay-page.ts';
import { stylesFor } from './styles.ts';

type Fields = Readonly<Record<string, unknown>>;
type Answer =
  | {
      readonly page: CardPage;
      readonly status?: number;
      readonly isFramed?: boolean;
      readonly look?: FieldsLook | null;
      // It stands by itself, or in a frame.
      readonly mayBeFramed?: boolean;
    }
  | { readonly redirect: string };

// The pages of the processor for the customer's browser.
export const cardPageRoutes = async (app: FastifyInstance, tools: CardTools): Promise<void> => {
  app.get('/cards.css', async ({ query }, reply) =>
    reply
      .header('cache-control', 'max-age=300')
      .type('text/css; charset=utf-8')
      .send(stylesFor((query as Fields).button)),
  );
  const scripts = { '/fields.js': fieldsScript, '/frame.js': frameScript };
  for (const [path, script] of Object.entries(scripts))
    app.get(path, async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(script),
    );
  app.get('/fields', async ({ query }, reply) =>
    send(reply, await openFields(tools, query as Fields)),
  );
  app.get<{ Params: { id: string } }>('/pay/:id', async ({ params, query }, reply) =>
    send(reply, await showSession(tools, params.id, query as Fields)),
  );
  app.post<{ Params: { id: string } }>('/pay/:id', async ({ params, body }, reply) =>
    send(reply, await takeCard(tools, params.id, (body ?? {}) as Fields)),
  );
  app.post<{ Params: { id: string } }>('/pay/:id/saved', async ({ params, body }, reply) =>
    send(reply, await takeSavedCard(tools, params.id, (body ?? {}) as Fields)),
  );
  app.post<{ Params: { id: string } }>('/pay/:id/wallet', async ({ params }, reply) =>
    send(reply, await takeWallet(tools, params.id)),
  );
  app.get<{ Params: ChallengeParams }>(
    '/challenge/:challenge/:id',
    async ({ params, headers }, reply) =>
      send(reply, await showChallenge(tools, params, headers['sec-fetch-dest'] === 'iframe')),
  );
  app.post<{ Params: ChallengeParams }>(
    '/challenge/:challenge/:id',
    async ({ params, body }, reply) =>
      send(reply, await takeDecision(tools, params, (body ?? {}) as Fields)),
  );
};

type ChallengeParams = {
  readonly challenge: string;
  readonly id: string;
};

const send = (reply: FastifyReply, answer: Answer): FastifyReply => {
  // A frame is led on only if the answer that leads it on may stand in it too.
  if ('redirect' in answer)
    return reply.header('content-security-policy', framedPolicy).redirect(answer.redirect, 303);
  const { page, status = 200, isFramed = false, look = null, mayBeFramed = isFramed } = answer;
  if (mayBeFramed) reply.header('content-security-policy', framedPolicy);
  return reply.code(status).type('text/html; charset=utf-8').send(page(isFramed, look));
};

const framedPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; " +
  "base-uri 'none'; frame-ancestors http: https:";

// The key names the account and the secret the session, as its script got them from the shop's page.
const openFields = async (tools: CardTools, { key, secret }: Fields): Promise<Answer> => {
  const [id = ''] = String(secret).split('_secret_');
  const state = key === tools.secrets.publishableKey && (await sessionStateOf(tools, id));
  if (!state || state.session.clientSecret !== secret) return { ...unknownPage, isFramed: true };
  return { redirect: `/cards/pay/${id}?isNew=1` };
};

const framing = ({ clientSecret, look }: SessionRecord) => ({
  isFramed: clientSecret !== null,
  look,
});

const inOpenSession = async (
  tools: CardTools,
  id: string,
  work: (state: SessionState) => Promise<Answer>,
): Promise<Answer> => {
  const state = await sessionStateOf(tools, id);
  if (!state) return unknownPage;
  return state.session.status === 'open' ? work(state) : onwardFrom(state);
};

// Fields that open anew say nothing of a try before: the shop's page does.
const showSession = (tools: CardTools, id: string, { isNew }: Fields): Promise<Answer> =>
  inOpenSession(tools, id, async ({ session, intent }) => {
    const problem = isNew ? undefined : intent?.lastError?.message;
    return {
      page: payPage(await viewOf(tools, session, { problem })),
      ...framing(session),
    };
  });

const viewOf = async (
  tools: CardTools,
  session: SessionRecord,
  more: Partial<PayView>,
): Promise<PayView> => {
  const savedCards = await savedCardsOf(tools, session);
  const typed = { expiry: '', name: '' };
  return { session, savedCards, problem: undefined, mistakes: {}, typed, ...more };
};

const takeCard = (tools: CardTools, id: string, fields: Fields): Promise<Answer> =>
  inOpenSession(tools, id, async ({ session }) => {
    const read = readCard(fields, tools.clock.now());
    if ('mistakes' in read) {
      const { mistakes } = read;
      const typed = {
        expiry: mistakes.expiry ? '' : String(fields.expiry),
        name: mistakes.name ? '' : String(fields.name),
      };
      const page = payPage(await viewOf(tools, session, { mistakes, typed }));
      return { page, status: 422, ...framing(session) };
    }
    return payTyped(tools, session, read.card, session.offersToSave && fields.save === 'yes');
  });

const payTyped = async (
  tools: CardTools,
  session: SessionRecord,
  { row, ...typed }: TypedCard,
  wantsSaving: boolean,
): Promise<Answer> => {
  const choice = { kind: 'typed', card: row.key, ...typed, wantsSaving } as const;
  const paid = await paySession(tools, session.id, choice);
  if (!paid) return unknownPage;
  const problem = refusalOf(paid);
  if (!problem) return onwardFromPayment(paid);
  // Who tries another card types the name once.
  const again = { expiry: '', name: typed.holderName };
  const page = payPage(await viewOf(tools, session, { problem, typed: again }));
  return { page, ...framing(session) };
};

const refusalOf = ({ session, intent }: SessionState): string | undefined =>
  session.status === 'open' && !intent?.challenge ? intent?.lastError?.message : undefined;

const pay = async (
  tools: CardTools,
  id: string,
  choice: Parameters<typeof paySession>[2],
): Promise<Answer> => {
  const paid = await paySession(tools, id, choice);
  return paid ? onwardFromPayment(paid) : unknownPage;
};

const takeWallet = (tools: CardTools, id: string): Promise<Answer> =>
  inOpenSession(tools, id, async (state) => {
    if (state.session.intentParameters.setupFutureUsage !== null) return onwardFrom(state);
    return pay(tools, id, { kind: 'typed', ...walletCard(tools.clock.now()) });
  });

const takeSavedCard = (tools: CardTools, id: string, fields: Fields): Promise<Answer> =>
  pay(tools, id, { kind: 'saved', methodId: String(fields.paymentMethod ?? '') });

const onwardFromPayment = (state: SessionState): Answer => {
  const { session, intent } = state;
  if (session.status !== 'open' || !intent) return onwardFrom(state);
  return { redirect: intent.challenge ? challengePath(intent) : `/cards/pay/${session.id}` };
};

const challengePath = ({ challenge, id }: IntentRecord | SetupRecord): string =>
  `/cards/challenge/${challenge?.id}/${id}`;

// A repeated request for a paid session redirects to the same address.
const onwardFrom = ({ session, intent }: SessionState): Answer => {
  if (session.status === 'complete') {
    const href = session.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
    return session.clientSecret === null ? { redirect: href } : paidInFrame(session, href);
  }
  const hasWalkedAway = intent?.cancellationReason === 'requested_by_customer';
  if (hasWalkedAway && session.cancelUrl) return { redirect: session.cancelUrl };
  const link = session.cancelUrl
    ? { href: session.cancelUrl, text: 'Back to the shop' }
    : undefined;
  const text = 'It was closed or too much time went by. Nothing was paid here.';
  const page = noticePage('This payment page has ended', text, link);
  return { page, status: 410, ...framing(session) };
};

// The script of the shop's page follows the link.
const paidInFrame = (session: SessionRecord, href: string): Answer => {
  const link = { href, text: 'Back to the shop', leavesFrame: true };
  const page = noticePage('The payment was made', 'The shop goes on in a moment.', link);
  return { page, ...framing(session) };
};

const showChallenge = async (
  tools: CardTools,
  params: ChallengeParams,
  isFramed = false,
): Promise<Answer> => {
  const transaction = openTransaction(tools);
  const setup = await transaction.find('setup', params.id);
  if (setup) {
    if (setup.challenge?.id !== params.challenge) return sendBack(setup);
    const method = await transaction.get('method', setup.challenge.methodId);
    return { page: challengePage(setup, method, challengePath(setup)) };
  }
  const intent = await transaction.find('intent', params.id);
  if (!intent) return unknownPage;
  if (intent.challenge?.id !== params.challenge) return afterChallenge(tools, intent);
  const method = await transaction.get('method', intent.challenge.methodId);
  const session = intent.sessionId
    ? await transaction.find('session', intent.sessionId)
    : undefined;
  const page = challengePage(intent, method, challengePath(intent));
  // That of a charge belongs to no page of ours: the shop may show it in a frame.
  return session ? { page, ...framing(session) } : { page, isFramed, mayBeFramed: true };
};

const takeDecision = async (
  tools: CardTools,
  params: ChallengeParams,
  fields: Fields,
): Promise<Answer> => {
  const decision = decisionOf(fields);
  if (!decision) return showChallenge(tools, params);
  const ofSetup = { setupId: params.id, id: params.challenge };
  const setup = await answerSetupChallenge(tools, ofSetup, decision);
  if (setup) return sendBack(setup);
  const challenge = { intentId: params.id, id: params.challenge };
  const ended = await answerChallenge(tools, challenge, decision);
  if (!ended) return unknownPage;
  const { intent, session } = ended;
  return session ? onwardFromPayment({ session, intent }) : sendBack(intent);
};

const afterChallenge = async (tools: CardTools, intent: IntentRecord): Promise<Answer> => {
  if (!intent.sessionId) return sendBack(intent);
  const state = await sessionStateOf(tools, intent.sessionId);
  return state ? onwardFromPayment(state) : unknownPage;
};

const sendBack = ({ kind, id, status, returnUrl, clientSecret }: Asked): Answer => {
  const isDone = status === 'succeeded' || status === 'requires_capture';
  if (!returnUrl) {
    const text = isDone ? 'You can close this page.' : 'Go back to the shop and try another way.';
    const title = kind === 'intent' ? 'The payment was made' : 'The card is set up';
    return { page: noticePage(isDone ? title : 'Nothing was paid', text) };
  }
  const back = new URL(returnUrl);
  const named = kind === 'intent' ? 'payment_intent' : 'setup_intent';
  back.searchParams.set(named, id);
  back.searchParams.set(`${named}_client_secret`, clientSecret);
  back.searchParams.set('redirect_status', isDone ? 'succeeded' : 'failed');
  return { redirect: back.href };
};

type Asked = Pick<
  IntentRecord | SetupRecord,
  'kind' | 'id' | 'status' | 'returnUrl' | 'clientSecret'
>;

const decisionOf = (fields: Fields): ChallengeDecision | undefined => {
  const { decision, password } = fields;
  if (decision === 'decline' || decision === 'timeout') return decision;
  if (decision !== 'approve') return undefined;
  const isRight = password === undefined || password === '' || password === 'password';
  return isRight ? 'approve' : 'decline';
};

const unknownPage = {
  page: noticePage('There is no such payment', 'Go back to the shop and start again.'),
  status: 404,
} satisfies Answer;
