import { poundsText } from '#kernel/pence.ts';
import { maskCardNumbers } from '#platform/card-numbers/mask-card-numbers.ts';
import type { BankAccount, BankPaymentOrder } from '#rails/bank-rail.ts';
import type { Codec, ConsentAnswer, ConsentTerms, ErrorAnswer, PaymentAnswer } from './codec.ts';
import { readConsentStatus, readIsoStatus } from './payment-status.ts';
import type { JsonObject } from './read-json.ts';
import { listOf, objectAt, textOf } from './read-json.ts';

/** The standard's version 4.0.1, whose addresses contain v4.0. */
export const codecV4: Codec = {
  consentBody: (order, terms) => JSON.stringify(consentOf(order, terms)),
  paymentBody: (consentId, consentBody) => {
    const consent = JSON.parse(consentBody) as ReturnType<typeof consentOf>;
    return JSON.stringify({
      Data: { ConsentId: consentId, Initiation: consent.Data.Initiation },
      Risk: consent.Risk,
    });
  },
  readConsent: (answer) => readConsent(answer),
  readPayment: (answer) => readPayment(answer),
  readError: (answer) => readError(answer),
};

// What Faster Payments carries on: 31, 18 and 40 characters of its own alphabet.
const referenceLength = 18;
const creditorNameLength = 40;

const contextCodes: readonly string[] = [
  'BillingGoodsAndServicesInAdvance',
  'BillingGoodsAndServicesInArrears',
  'EcommerceMerchantInitiatedPayment',
  'FaceToFacePointOfSale',
  'TransferToSelf',
  'TransferToThirdParty',
];

const consentOf = (order: BankPaymentOrder, terms: ConsentTerms) => {
  const reference = schemeText(order.reference, referenceLength);
  const contextCode = terms.contextCode ?? currentContextCode(order.contextCode);
  const customer = order.merchantCustomerReference.trim().slice(0, 70);
  return {
    Data: {
      ReadRefundAccount: terms.readRefundAccount ? 'Yes' : 'No',
      Initiation: {
        InstructionIdentification: order.instructionId,
        EndToEndIdentification: order.endToEndId,
        LocalInstrument: 'UK.OBIE.FPS',
        InstructedAmount: { Amount: poundsText(order.amountPence), Currency: 'GBP' },
        CreditorAccount: {
          SchemeName: 'UK.OBIE.SortCodeAccountNumber',
          Identification: `${digits(order.creditor.sortCode)}${digits(order.creditor.accountNumber)}`,
          Name: payeeName(order.creditor.name),
        },
        ...(reference && {
          RemittanceInformation: {
            Structured: [{ CreditorReferenceInformation: { Reference: reference } }],
          },
        }),
      },
    },
    Risk: {
      ...(contextCode && { PaymentContextCode: contextCode }),
      ...(/^\d{3,4}$/.test(order.merchantCategoryCode) && {
        MerchantCategoryCode: order.merchantCategoryCode,
      }),
      ...(customer && { MerchantCustomerIdentification: customer }),
      ContractPresentIndicator: true,
      BeneficiaryPrepopulatedIndicator: true,
      BeneficiaryAccountType: 'Business',
    },
  };
};

/** The standard's older codes must not be used for a new consent. */
const currentContextCode = (code: string): string | undefined =>
  contextCodes.find((known) => known === code);

const payeeName = (name: string): string =>
  schemeText(name, creditorNameLength) || name.slice(0, creditorNameLength);

const digits = (text: string): string => text.replace(/\D/g, '');

const schemeText = (text: string, length: number): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 /\-?:().,'+&@#=!%*]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, length)
    .trim();

const readConsent = (answer: unknown): ConsentAnswer | null => {
  const data = objectAt(answer, 'Data');
  const consentId = textOf(data, 'ConsentId');
  const status = readConsentStatus(textOf(data, 'Status') ?? '');
  if (!consentId || consentId.length > 128 || !status) return null;
  return { consentId, status, amount: amountOf(data), reasonCode: reasonOf(data) };
};

const readPayment = (answer: unknown): PaymentAnswer | null => {
  const data = objectAt(answer, 'Data');
  const paymentId = textOf(data, 'DomesticPaymentId');
  const status = readIsoStatus(textOf(data, 'Status') ?? '');
  if (!paymentId || !status) return null;
  return {
    paymentId,
    consentId: textOf(data, 'ConsentId') ?? null,
    status,
    changedAt: timeOf(textOf(data, 'StatusUpdateDateTime') ?? textOf(data, 'CreationDateTime')),
    amount: amountOf(data),
    reasonCode: reasonOf(data),
    payer: accountOf(objectAt(data, 'Refund', 'Account')) ?? accountOf(objectAt(data, 'Debtor')),
  };
};

const readError = (answer: unknown): ErrorAnswer | null => {
  const codes = listOf(objectAt(answer), 'Errors')
    .map((error) => textOf(objectAt(error), 'ErrorCode'))
    .filter((code) => code !== undefined);
  return codes.length > 0 ? { codes } : null;
};

/** "10.00" for every way the standard allows to write it. */
const amountOf = (data: JsonObject | undefined): string | null => {
  const amount = objectAt(data, 'Initiation', 'InstructedAmount');
  const match = /^0*(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(textOf(amount, 'Amount') ?? '');
  if (!match || textOf(amount, 'Currency') !== 'GBP') return amount ? 'unreadable' : null;
  return `${match[1]}.${(match[2] ?? '').padEnd(2, '0')}`;
};

const reasonOf = (data: JsonObject | undefined): string | null =>
  textOf(objectAt(listOf(data, 'StatusReason')[0]), 'StatusReasonCode') ?? null;

const timeOf = (text: string | undefined): Date | null => {
  const time = new Date(text ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
};

/** By shape: some banks name the wrong scheme. */
const accountOf = (account: JsonObject | undefined): BankAccount | null => {
  const text = (textOf(account, 'Identification') ?? '').replace(/[\s-]/g, '');
  const match =
    /^(\d{6})(\d{8})$/.exec(text) ?? /^GB\d{2}[A-Z]{4}(\d{6})(\d{8})$/.exec(text.toUpperCase());
  if (!match?.[1] || !match[2]) return null;
  return {
    sortCode: match[1],
    accountNumber: match[2],
    name: maskCardNumbers(textOf(account, 'Name') ?? ''),
  };
};
