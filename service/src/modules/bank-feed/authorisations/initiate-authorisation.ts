import {
  type BodyOf,
  type initiateBankAuthorisation as described,
  failures,
  type initiateBankAuthorisation,
  limits,
  type ReplyOf,
} from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { Failure, type FieldError } from '#kernel/failure.ts';
import { isAllowedRedirectUrl, merchantSuspended } from '#modules/merchants/index.ts';
import { withoutControls } from '#platform/http/input/read-json.ts';
import type { Call, Caller } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import type { CallbackParams } from './authorisation.ts';
import type { BankDataRails } from './data-rails.ts';
import { findAuthorisation, linkUrl } from './get-authorisation.ts';
import { insertAuthorisation } from './store/authorisations.ts';

type Body = BodyOf<typeof initiateBankAuthorisation>;

type CheckedInitiate = {
  readonly redirectUrl: string;
  readonly callbackParams: CallbackParams;
};

/** FEED-1. */
const checkInitiate = (body: Body, environment: Environment): CheckedInitiate => {
  const errors: FieldError[] = [];
  const refuse: Refuse = (field, message) => errors.push({ field, message: `${field} ${message}` });
  if (!isAllowedRedirectUrl(body.redirectUrl, environment))
    refuse('redirectUrl', 'must be an https address or one of your app');
  const callbackParams = paramsOf(body.callbackParams, refuse);
  checkParams(callbackParams, refuse);
  const [first] = errors;
  if (first) throw new Failure(failures.badRequest, { message: `${first.message}.`, errors });
  return { redirectUrl: body.redirectUrl, callbackParams };
};

type Refuse = (field: string, message: string) => void;

/** Existing clients send an object, its JSON as text, or a query. */
const paramsOf = (given: Body['callbackParams'], refuse: Refuse): CallbackParams => {
  if (given === undefined) return {};
  if (typeof given !== 'string') return given as CallbackParams;
  const read = readText(given, refuse);
  const parts = Object.entries(read).map(([name, value]) => [
    withoutControls(name),
    typeof value === 'string' ? withoutControls(value) : value,
  ]);
  return Object.fromEntries(parts);
};

const readText = (given: string, refuse: Refuse): CallbackParams => {
  const text = given.trim();
  if (!text.startsWith('{'))
    return Object.fromEntries(new URLSearchParams(text.replace(/^\?/, '')));
  const read = readObject(text);
  if (!read) refuse('callbackParams', 'must be an object of texts, numbers and booleans');
  return read ?? {};
};

const readObject = (text: string): CallbackParams | null => {
  try {
    const read = JSON.parse(text) as Record<string, unknown>;
    const isFlat = Object.values(read).every((value) => scalars.has(typeof value));
    return isFlat ? (read as CallbackParams) : null;
  } catch {
    return null;
  }
};

const scalars: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

const checkParams = (params: CallbackParams, refuse: Refuse): void => {
  const { callbackParams, callbackParamKeyLength, callbackParamValueLength } = limits;
  const entries = Object.entries(params);
  if (entries.length > callbackParams)
    refuse('callbackParams', `must hold at most ${callbackParams} members`);
  if (entries.some(([name]) => name === '' || name.length > callbackParamKeyLength))
    refuse('callbackParams', `must have names of 1 to ${callbackParamKeyLength} characters`);
  if (entries.some(([name]) => !isStorable(name)))
    refuse('callbackParams', `must have names ${storable}`);
  for (const [name, value] of entries) {
    if (String(value).length > callbackParamValueLength)
      refuse(`callbackParams.${name}`, `must have at most ${callbackParamValueLength} characters`);
    if (isStorable(name) && !isStorable(String(value)))
      refuse(`callbackParams.${name}`, `must be text ${storable}`);
  }
};

/** Text within text is read here first, so the reader of bodies has not refused it (WIRE-6). */
const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text);
const storable = 'without the character U+0000 and without half a character';

export type InitiateTools = Uses<'database' | 'ids'> & {
  readonly bankDataRails: BankDataRails;
  readonly publicUrl: string;
};

/** A bank link: the page on which a customer authorises accounts. No bank is called yet. */
export const initiateAuthorisation = async (
  tools: InitiateTools,
  { tenant, secretId }: Pick<Caller, 'tenant' | 'secretId'>,
  {
    body,
    decideOnce,
    requestId,
  }: Pick<Call<typeof described>, 'body' | 'decideOnce' | 'requestId'>,
): Promise<ReplyOf<typeof described>> => {
  const checked = checkInitiate(body, tenant.environment);
  tools.bankDataRails.requireAny(tenant.environment);
  const authorisationId = await decideOnce(async () => tools.ids.uuid());
  await tools.database.tenant(tenant.merchantId, insertAuthorisation, {
    ...tenant,
    authorisationId,
    redirectUrl: checked.redirectUrl,
    callbackParams: JSON.stringify(checked.callbackParams),
    secretId,
    requestId,
    linkMs: limits.bankLinkMs,
  });
  return initiatedReply(tools, tenant, authorisationId);
};

const initiatedReply = async (
  tools: InitiateTools,
  tenant: Tenant,
  authorisationId: string,
): Promise<ReplyOf<typeof described>> => {
  const made = await findAuthorisation(tools, tenant, authorisationId);
  if (!made) throw merchantSuspended();
  return {
    url: linkUrl(tools.publicUrl, made),
    accountAuthId: authorisationId,
    expiresAt: made.linkExpiresAt.toISOString(),
  };
};
