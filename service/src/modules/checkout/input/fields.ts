import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '#kernel/is-uuid.ts';
import type { ReturnParameters } from '#rails/bank-rail.ts';

export type Fields = Readonly<Record<string, string | undefined>>;

/** A query or form may carry anything: only single texts count. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const pageIdOf = (fields: unknown): string | null => {
  const id = text((fields as Fields | undefined)?.paymentRequestId).toLowerCase();
  return isUuid(id) ? id : null;
};

/** Unlike `encodeURIComponent` it accepts any text, also a lone surrogate. */
const parameter = (name: string, value: string): string =>
  value === '' ? '' : `&${new URLSearchParams({ [name]: value })}`;

/** The other parameters of the address, such as the chosen bank. */
type MoreQuery = Readonly<Record<string, string | undefined>>;

export const pagePath = (
  paymentRequestId: string,
  locale: unknown,
  more: MoreQuery = {},
): string => {
  const others = Object.entries(more).map(([name, value]) => parameter(name, text(value)));
  const language = parameter('locale', text(locale));
  return `/pay?paymentRequestId=${paymentRequestId}&source=EXTERNAL_MERCHANT${language}${others.join('')}`;
};

/** The page is inside an app of the merchant (PAGE-12): every address and form of it says so. */
export const isEmbedded = (fields: Fields): boolean => text(fields.embed) === 'sdk';

export const embedIn = (fields: Fields): MoreQuery => (isEmbedded(fields) ? { embed: 'sdk' } : {});

/** A form of our page opens the question of a card's bank in a frame of that page. */
export const isFrameOfOurs = (fields: Fields): boolean => text(fields.framed) !== '';

/** The frame stays as it is: the page around it follows the payment, and shows what came of it. */
export const frameIsDone = (reply: FastifyReply): FastifyReply =>
  reply.code(204).header('cache-control', 'no-store').send();

type BankReturn = {
  readonly parameters: ReturnParameters;
  /** Names what the return belongs to; null: nothing of ours. */
  readonly state: string | null;
  /** The server was not sent the answer: only a script can read it. */
  readonly isInFragment: boolean;
};

/** What the browser brought back from a bank, in the query or by a form that our own page posts. */
export const readBankReturn = (request: FastifyRequest, method: 'GET' | 'POST'): BankReturn => {
  const given = (method === 'GET' ? request.query : request.body) as Fields | undefined;
  const parameters = Object.fromEntries(
    Object.entries(given ?? {}).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value]] : [],
    ),
  );
  const state = stateOf(parameters);
  return {
    parameters,
    state: madeByUs.test(state) ? state : null,
    isInFragment: method === 'GET' && Object.keys(parameters).every((name) => name === 'locale'),
  };
};

/** Anything else is not looked for: the database refuses some characters, and nothing has it. */
const madeByUs = /^[0-9a-z]{16,64}$/;

/**
 * The state only names the payment or bank link; the rail then verifies the bank's signature over everything.
 */
const stateOf = (parameters: Readonly<Record<string, string>>): string => {
  if (parameters.state) return parameters.state;
  const [, payload = ''] = (parameters.response ?? '').split('.');
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Fields;
    return text(claims.state);
  } catch {
    return '';
  }
};
