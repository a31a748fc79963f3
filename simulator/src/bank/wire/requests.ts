import type { PaymentOrder } from '../payments/submit-payment.ts';
import type { ConsentTerms, Json, JsonObject, Payee } from '../ports.ts';
import { badRequest, Refusal } from '../refusal.ts';
import { schemaReasons } from './schema-reasons.ts';

const initiationPath = 'Data.Initiation';
const withdrawnContextCodes = new Set([
  'BillPayment',
  'EcommerceGoods',
  'EcommerceServices',
  'PartyToParty',
  'PispPayee',
  'Other',
]);

type Initiation = JsonObject & {
  readonly EndToEndIdentification: string;
  readonly LocalInstrument: string;
  readonly InstructedAmount: { readonly Amount: string; readonly Currency: string };
  readonly CreditorAccount: AccountOnWire;
  readonly DebtorAccount: AccountOnWire;
  readonly RemittanceInformation: JsonObject;
};

type AccountOnWire = JsonObject & {
  readonly SchemeName: string;
  readonly Identification: string;
  readonly Name: string;
};

export const readConsentRequest = (body: JsonObject): ConsentTerms => {
  refuseInvalid('OBWriteDomesticConsent4', body);
  const data = body.Data as JsonObject;
  const risk = body.Risk as JsonObject;
  const initiation = data.Initiation as Initiation;
  refuseUnsupported(initiation, risk);
  return {
    wireData: data,
    wireRisk: risk,
    amountPence: penceOf(initiation.InstructedAmount.Amount),
    endToEndIdentification: initiation.EndToEndIdentification,
    creditor: payeeOf(initiation.CreditorAccount),
    reference: referenceOf(initiation.RemittanceInformation),
    wantsRefundAccount: data.ReadRefundAccount === 'Yes',
  };
};

export const readPaymentRequest = (body: JsonObject): PaymentOrder => {
  refuseInvalid('OBWriteDomestic2', body);
  const data = body.Data as JsonObject;
  return {
    consentId: data.ConsentId as string,
    initiation: data.Initiation as Json,
    risk: body.Risk as Json,
  };
};

const refuseInvalid = (schema: Parameters<typeof schemaReasons>[0], body: JsonObject): void => {
  const reasons = schemaReasons(schema, body);
  if (reasons.length > 0) throw new Refusal(400, reasons);
};

const refuseUnsupported = (initiation: Initiation, risk: JsonObject): void => {
  if (initiation.InstructedAmount.Currency !== 'GBP') {
    const path = `${initiationPath}.InstructedAmount.Currency`;
    throw badRequest('U023', 'Only GBP is supported.', path);
  }
  if (initiation.LocalInstrument && initiation.LocalInstrument !== 'UK.OBIE.FPS') {
    const path = `${initiationPath}.LocalInstrument`;
    throw badRequest('U026', 'Only UK.OBIE.FPS is supported.', path);
  }
  refuseAccount(initiation.CreditorAccount, `${initiationPath}.CreditorAccount`);
  if (initiation.DebtorAccount) {
    refuseAccount(initiation.DebtorAccount, `${initiationPath}.DebtorAccount`);
  }
  if (withdrawnContextCodes.has(String(risk.PaymentContextCode))) {
    throw badRequest('U002', 'This code may not be used any more.', 'Risk.PaymentContextCode');
  }
};

const refuseAccount = (account: AccountOnWire, path: string): void => {
  if (account.SchemeName !== 'UK.OBIE.SortCodeAccountNumber') {
    throw badRequest(
      'U027',
      'Only UK.OBIE.SortCodeAccountNumber is supported.',
      `${path}.SchemeName`,
    );
  }
  if (!/^\d{14}$/.test(account.Identification)) {
    const message = 'A sort code and account number are 14 digits.';
    throw badRequest('U021', message, `${path}.Identification`);
  }
};

const penceOf = (amount: string): bigint => {
  const [pounds = '0', fraction = ''] = amount.split('.');
  const pence = BigInt(pounds) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2));
  if (/[1-9]/.test(fraction.slice(2)) || pence === 0n) {
    const path = `${initiationPath}.InstructedAmount.Amount`;
    throw badRequest('U002', 'The amount must be whole pence and more than nothing.', path);
  }
  return pence;
};

const payeeOf = (account: AccountOnWire): Payee => ({
  name: account.Name,
  sortCode: account.Identification.slice(0, 6),
  accountNumber: account.Identification.slice(6),
});

const referenceOf = (remittance: JsonObject | undefined): string => {
  const [structured] = (remittance?.Structured ?? []) as readonly JsonObject[];
  const creditor = structured?.CreditorReferenceInformation as JsonObject | undefined;
  const [unstructured] = (remittance?.Unstructured ?? []) as readonly string[];
  return String(creditor?.Reference ?? unstructured ?? '');
};
