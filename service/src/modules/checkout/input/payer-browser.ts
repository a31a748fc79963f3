import { createHash, createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '#platform/http/use-cookies.ts';
import { equalsSecretly } from '#platform/secrets/open-secrets.ts';
import { pageIdOf, pagePath } from './fields.ts';

const bankCookie = 'florin_bank';
const lifetimeSeconds = 180 * 24 * 60 * 60;

/** Stored while the box is ticked, deleted when it is unticked. */
export const rememberBank = (
  reply: FastifyReply,
  institutionId: string,
  choice: 'KEEP' | 'FORGET' | null,
): void => {
  if (choice === 'KEEP')
    setCookie(reply, bankCookie, institutionId, { ageSeconds: lifetimeSeconds });
  if (choice === 'FORGET') setCookie(reply, bankCookie, 'none', { ageSeconds: 0 });
};

/** The bank that a payer let this device remember: its id only, for that payer only. */
export const rememberedBankOf = (request: FastifyRequest): string | null =>
  readCookie(request, bankCookie);

const startedCookie = 'florin_started';

/** The path of the bank list of that payment; null when the browser has none. */
export const startedPath = (
  request: FastifyRequest,
  locale: string,
  choosesAgain = true,
): string | null => {
  const id = pageIdOf({ paymentRequestId: readCookie(request, startedCookie) ?? '' });
  return id === null ? null : pagePath(id, locale, choosesAgain ? { again: '1' } : {});
};

/** Whether this browser went to a bank for that payment. */
export const hasStarted = (request: FastifyRequest, paymentRequestId: string): boolean =>
  readCookie(request, startedCookie) === paymentRequestId;

/**
 * The payment that this browser went to a bank for: the server does not see an answer in the
 * fragment.
 */
export const rememberStarted = (reply: FastifyReply, paymentRequestId: string): void =>
  setCookie(reply, startedCookie, paymentRequestId);

const openedCookie = 'florin_opened';
const maxOpened = 4;
const afterReturn = '_back';

type Opened = {
  /** This browser showed the page before the payment was made: its receipt is no stranger's. */
  readonly hasOpened: boolean;
  /** The paid page has led it back to the shop. */
  readonly hasReturned: boolean;
};

const openedIn = (request: FastifyRequest): readonly string[] =>
  (readCookie(request, openedCookie) ?? '').split('.').filter((each) => each !== '');

export const openedBefore = (request: FastifyRequest, paymentRequestId: string): Opened => {
  const opened = openedIn(request);
  const hasReturned = opened.includes(paymentRequestId + afterReturn);
  return { hasOpened: hasReturned || opened.includes(paymentRequestId), hasReturned };
};

/** The payments that were opened last, for this visit. */
export const rememberOpened = (
  request: FastifyRequest,
  reply: FastifyReply,
  paymentRequestId: string,
  { returns }: { readonly returns: boolean },
): void => {
  const before = openedBefore(request, paymentRequestId);
  if (returns ? before.hasReturned : before.hasOpened) return;
  const others = openedIn(request).filter((each) => !each.startsWith(paymentRequestId));
  const opened = [returns ? paymentRequestId + afterReturn : paymentRequestId, ...others];
  setCookie(reply, openedCookie, opened.slice(0, maxOpened).join('.'));
};

const payerCookie = 'florin_payer';

/** Another id for every payment request: no merchant can follow a payer to another one. */
export const payerIdFor = (secret: string, paymentRequestId: string): string => {
  const digest = createHash('sha256').update(`payer|${secret}|${paymentRequestId}`).digest('hex');
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `4${digest.slice(13, 16)}`];
  return [...parts, `8${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-');
};

/** The browser's own secret, stored until it is closed; it distinguishes payers of one bill. */
export const payerSecretOf = (request: FastifyRequest): string | null =>
  readCookie(request, payerCookie);

export const rememberPayer = (reply: FastifyReply, secret: string): void =>
  setCookie(reply, payerCookie, secret);

type Given = {
  readonly deviceOrigin?: string | null | undefined;
  readonly paymentDevice?: object | null | undefined;
};

type Device = { readonly [member: string]: string | number };

const members = ['platform', 'osVersion', 'browser', 'manufacturer', 'model', 'deviceMemory'];
const maxCharacters = 100;
const unknownOrigin = 'SDK';

/** The client's description of its device, if short and plain. The origin marks its flow. */
export const readDevice = ({ deviceOrigin, paymentDevice }: Given): Device => {
  const given = (paymentDevice ?? {}) as Readonly<Record<string, unknown>>;
  const known = members.flatMap((name): readonly [string, string | number][] => {
    const value = given[name];
    if (typeof value === 'number' && Number.isFinite(value)) return [[name, value]];
    return typeof value === 'string' ? [[name, value.slice(0, maxCharacters)]] : [];
  });
  const origin = (deviceOrigin ?? '').slice(0, maxCharacters);
  return { ...Object.fromEntries(known), deviceOrigin: origin === '' ? unknownOrigin : origin };
};

export type CardClient = 'APP' | 'DIALOG';

const cardClients = new Map<unknown, CardClient>([
  ['SDK_MOBILE_APP', 'APP'],
  ['SDK_DESKTOP', 'DIALOG'],
  ['SDK_MOBILE', 'DIALOG'],
]);

/** What shows the card form: the web view of an app, or a frame in a dialog (CARD-19). */
export const cardClientOf = (device: object | null | undefined): CardClient | null =>
  cardClients.get((device as Given | null | undefined)?.deviceOrigin) ?? null;

/** Started by a page or app of the merchant, which reads more parameters of the return. */
export const isFromClient = (device: object | null | undefined): boolean =>
  device !== null && device !== undefined && 'deviceOrigin' in device;

/**
 * Proof that a start comes from our own page: a link preview or another site cannot start a payment
 * at a payer's bank. It is valid for its own request only.
 */
export const formTokens = (key: Buffer) => {
  const make = (paymentRequestId: string): string =>
    createHmac('sha256', key).update(`form|${paymentRequestId}`).digest('base64url');
  return {
    make,
    isMade: (paymentRequestId: string, token: string): boolean =>
      equalsSecretly(make(paymentRequestId), token),
  };
};

export type FormTokens = ReturnType<typeof formTokens>;
