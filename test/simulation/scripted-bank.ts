import { outsideText } from '../../service/src/platform/card-numbers/mask-card-numbers.ts';
import type {
  BankPaymentOrder,
  BankRail,
  BankStatus,
  ConsentOutcome,
  ExchangeOutcome,
  Institution,
  PaymentOutcome,
  ReturnOutcome,
  SubmitOutcome,
  Unknown,
} from '../../service/src/rails/bank-rail.ts';
import type { Random } from './seeded-random.ts';

const scriptedBankId = 'scripted-bank';

const institution: Institution = {
  id: scriptedBankId,
  name: 'Scripted Bank',
  fullName: 'Scripted Bank',
  kind: 'both',
  colour: '#000000',
  limitPence: 100_000_000n as Institution['limitPence'],
  isEnabled: true,
  isPopular: false,
  countryCode: 'GB',
};

const scripts = [
  'RCVD ACSP ACSC',
  'RCVD ACSP ACSC ACCC',
  'ACSC',
  'RCVD PDNG ACSP',
  'RCVD ACSP ACWP',
  'RCVD RJCT',
  'PDNG RJCT',
  'RJCT',
  'RCVD ACSP RJCT',
  'RCVD ACSP ACSC RJCT',
  'RCVD ACSP BLCK',
] as const;

type Consent = {
  readonly id: string;
  readonly order: BankPaymentOrder;
  status: 'AWAITING' | 'AUTHORISED' | 'REJECTED' | 'CONSUMED';
  code: string | null;
};

export type BookedPayment = {
  readonly consentId: string;
  readonly endToEndId: string;
  readonly amountPence: bigint;
  readonly script: readonly string[];
  readonly showsPayer: boolean;
  reached: number;
};

type State = { readonly consentId: string; readonly oauthState: string; readonly token?: true };

const isRejected = (isoCode: string): boolean => ['RJCT', 'BLCK'].includes(isoCode);

const unknown: Unknown = { kind: 'UNKNOWN', description: 'No answer.' };
const refused = (code: string) =>
  ({ kind: 'REFUSED', code, description: 'Refused. No money has been taken.' }) as const;

/**
 * A bank in memory that keeps the contract of the port and nothing more: it refuses, stays silent
 * before or after it acted, reports old states, and withdraws a report.
 */
export const scriptedBank = (
  random: Random,
  settings: {
    readonly faultShare: () => number;
    readonly endsSettled: boolean;
    /** The sum of all payments that it has not rejected. */
    readonly maxPence: bigint;
    /** Left out: payments move on by themselves, along a script that the seed chooses. */
    readonly steered?: { readonly script: readonly string[]; readonly showsPayer: boolean };
  },
) => {
  const consents = new Map<string, Consent>();
  const payments: BookedPayment[] = [];
  const complaints: string[] = [];
  const fails = (): boolean => random.chance(settings.faultShare());

  const createConsent = async (order: BankPaymentOrder): Promise<ConsentOutcome> => {
    if (fails()) return random.pick([unknown, refused('U000')]);
    const id = `consent-${order.endToEndId}`;
    consents.set(id, { id, order, status: 'AWAITING', code: null });
    if (fails()) return unknown;
    const state: State = { consentId: id, oauthState: order.oauthState };
    return {
      kind: 'CREATED',
      state: JSON.stringify(state),
      reference: id,
      authorisationUrl: `https://bank.example/${id}`,
      interactionId: `interaction-${order.endToEndId}`,
    };
  };

  const readReturn = async (
    text: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<ReturnOutcome> => {
    const state = JSON.parse(text) as State;
    if (fails()) return unknown;
    const { code, error, state: oauthState } = parameters;
    if (oauthState !== state.oauthState || (!code && !error))
      return { kind: 'INVALID', description: 'Not from this bank.' };
    if (code) return { kind: 'AUTHORISED', code, state: text };
    const byPayer = error === 'access_denied';
    return { kind: 'DECLINED', byPayer, code: error ?? '', description: 'Declined.' };
  };

  const exchange = async (text: string, code: string): Promise<ExchangeOutcome> => {
    const state = JSON.parse(text) as State;
    const consent = consents.get(state.consentId);
    if (fails()) {
      if (consent) consent.code = random.pick([null, consent.code]);
      return random.pick([unknown, refused('invalid_grant')]);
    }
    if (consent?.code === null) complaints.push(`${code} was exchanged a second time`);
    if (!consent || consent.code !== code) return refused('invalid_grant');
    consent.code = null;
    if (fails()) return unknown;
    return { kind: 'EXCHANGED', state: JSON.stringify({ ...state, token: true }) };
  };

  const book = (consent: Consent): BookedPayment => {
    const earlier = payments.find(({ consentId }) => consentId === consent.id);
    if (earlier) return earlier;
    const { endToEndId, amountPence } = consent.order;
    const possible = scripts.filter((each) => !settings.endsSettled || !each.endsWith('ACSP'));
    const script = settings.steered?.script ?? random.pick(possible).split(' ');
    const { showsPayer = true } = settings.steered ?? {};
    const booked = { consentId: consent.id, endToEndId, amountPence, script };
    const payment: BookedPayment = { ...booked, showsPayer, reached: 0 };
    consent.status = 'CONSUMED';
    const others = payments.filter((each) => !isRejected(each.script[each.reached] ?? ''));
    const sum = others.reduce((total, each) => total + each.amountPence, BigInt(amountPence));
    if (sum > settings.maxPence) complaints.push(`${endToEndId} makes it ${sum} pence`);
    payments.push(payment);
    return payment;
  };

  const reported = (payment: BookedPayment, position?: number): BankStatus => {
    const status = report(payment, position);
    return payment.showsPayer ? { ...status, payer } : status;
  };

  const submit = async (text: string): Promise<SubmitOutcome> => {
    const state = JSON.parse(text) as State;
    const consent = consents.get(state.consentId);
    if (!state.token) complaints.push(`${state.consentId} was submitted without a token`);
    if (fails()) return unknown;
    if (!consent || consent.status === 'AWAITING' || consent.status === 'REJECTED') {
      complaints.push(`${state.consentId} was submitted without an approval`);
      return refused('U009');
    }
    const isNew = consent.status === 'AUTHORISED';
    if (isNew && fails()) return refused('AM04');
    const payment = book(consent);
    if (fails()) return unknown;
    return { kind: 'ACCEPTED', state: text, status: reported(payment) };
  };

  const readPayment = async (text: string): Promise<PaymentOutcome> => {
    const { consentId } = JSON.parse(text) as State;
    const payment = payments.find((each) => each.consentId === consentId);
    if (!payment) complaints.push(`${consentId} was read before it was accepted`);
    if (!payment || fails()) return unknown;
    const isOutdated = fails();
    const status = reported(payment, isOutdated ? random.below(payment.reached + 1) : undefined);
    if (!settings.steered) advance(payment);
    return { kind: 'STATUS', state: text, status };
  };

  // Jobs serve every tenant, so a daily poll of an earlier seed's payment may fall due in this run.
  const ofThisSeed =
    <Outcome>(call: (text: string) => Promise<Outcome>) =>
    async (text: string): Promise<Outcome | Unknown> => {
      const { consentId } = JSON.parse(text) as State;
      return consents.has(consentId) ? call(text) : unknown;
    };

  const rail: BankRail = {
    institutions: () => [institution],
    health: () => [],
    createConsent,
    readReturn,
    exchange,
    submit: ofThisSeed(submit),
    resolveSubmission: ofThisSeed(submit),
    readPayment: ofThisSeed(readPayment),
  };
  return { rail, consents, payments, complaints, decide: deciding(random) };
};

const manyApprovals = Array.from({ length: 8 }, () => 'approve' as const);

/** What the payer does at the bank, and the parameters of the bank's return. */
const deciding =
  (random: Random) =>
  (consent: Consent, state: string): Readonly<Record<string, string>> => {
    const decision = random.pick([...manyApprovals, 'decline', 'fail'] as const);
    if (decision === 'fail') return { error: 'server_error', state };
    if (decision === 'decline') {
      consent.status = 'REJECTED';
      return { error: 'access_denied', state };
    }
    consent.status = 'AUTHORISED';
    consent.code = `code-${consent.id}`;
    return { code: consent.code, state };
  };

const payer = {
  sortCode: '001001',
  accountNumber: '00000001',
  name: outsideText('A Payer') ?? '',
} as const;

/** The bank reaches the next status. */
export const advance = (payment: BookedPayment): void => {
  payment.reached = Math.min(payment.reached + 1, payment.script.length - 1);
};

const report = (payment: BookedPayment, position = payment.reached): BankStatus => {
  const isoCode = payment.script[position] ?? 'RCVD';
  return {
    isoCode,
    isoName: isoCode,
    changedAt: null,
  };
};

export { scriptedBankId };
