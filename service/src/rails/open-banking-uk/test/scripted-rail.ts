import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { BankPaymentOrder } from '#rails/bank-rail.ts';
import type { OpenBankingUk } from '../open-banking-uk.ts';
import { openBankingUk } from '../open-banking-uk.ts';
import type { BankProfile } from '../settings/bank-profile.ts';
import type { OpenBankingClient, OpenBankingSettings } from '../settings/settings.ts';
import { newOrder, newTestClient, testTools } from './new-test-client.ts';
import type { ScriptedBank } from './scripted-bank.ts';
import { openScriptedBank } from './scripted-bank.ts';
import { verified } from './verified.ts';

/** A scripted bank and a rail to it, new for every test, and the steps up to each question. */
export type ScriptedRail = {
  readonly bank: ScriptedBank;
  readonly rail: OpenBankingUk;
  readonly another: (
    change?: Partial<BankProfile>,
    offset?: number | (() => number),
    more?: Pick<OpenBankingSettings, 'hidesUnavailableBanks'> & { readonly redirectUri?: string },
  ) => OpenBankingUk;
  readonly create: (order?: BankPaymentOrder) => Promise<{ readonly state: string }>;
  readonly authorise: (
    order?: BankPaymentOrder,
  ) => Promise<{ readonly state: string; readonly code: string }>;
  readonly exchange: (order?: BankPaymentOrder) => Promise<string>;
};

// Long enough for a busy machine.
const timeouts = { connectMs: 2_000, headersMs: 1_500, bodyMs: 1_500, totalMs: 2_000 };

export const useScriptedRail = (): (() => ScriptedRail) => {
  let client: OpenBankingClient;
  let bank: ScriptedBank | undefined;
  let rails: OpenBankingUk[] = [];
  let current: ScriptedRail | undefined;
  const closeAll = async () => {
    await Promise.all(rails.map((rail) => rail.close()));
    rails = [];
    await bank?.close();
  };
  beforeAll(async () => {
    client = await newTestClient();
  });
  beforeEach(async () => {
    await closeAll();
    bank = await openScriptedBank();
    current = scriptedRail(client, bank, rails);
  });
  afterAll(closeAll);
  return () => {
    if (!current) throw new Error('the scripted rail is not open yet');
    return current;
  };
};

const scriptedRail = (
  client: OpenBankingClient,
  bank: ScriptedBank,
  rails: OpenBankingUk[],
): ScriptedRail => {
  const another: ScriptedRail['another'] = (change = {}, offset = 0, given = {}) => {
    const { redirectUri = client.redirectUri, ...more } = given;
    const tools = testTools();
    const offsetMs = typeof offset === 'number' ? () => offset : offset;
    const clock = { ...tools.clock, now: () => new Date(Date.now() + offsetMs()) };
    const banks = [{ ...bank.profile, ...change }];
    const opened = openBankingUk(
      { client: { ...client, redirectUri }, banks, timeouts, ...more },
      { ...tools, clock },
    );
    rails.push(opened);
    return opened;
  };
  const rail = another();
  const create = async (order = newOrder()) => verified(await rail.createConsent(order), 'CREATED');
  const authorise = async (order = newOrder()) => {
    const { state } = await create(order);
    const response = await bank.signJwt({ state: order.oauthState, code: 'code-1' });
    return verified(await rail.readReturn(state, { response }), 'AUTHORISED');
  };
  const exchange = async (order = newOrder()) => {
    const { state, code } = await authorise(order);
    return verified(await rail.exchange(state, code), 'EXCHANGED').state;
  };
  return { bank, rail, another, create, authorise, exchange };
};
