import type { Bank } from '../bank.ts';
import type { WireTraits } from '../bank-traits.ts';
import type { ConsentTerms, Json, JsonObject, Party, StandardVersion } from '../model.ts';
import { firstDayOf, type OrderKind } from '../payments/order-kinds.ts';
import type { PaymentOrder } from '../payments/submit-payment.ts';
import { badRequest } from '../refusal.ts';
import { refuseInvalid } from './schema-reasons.ts';
import { wireVersions } from './versions.ts';

const initiationPath = 'Data.Initiation';
const withdrawnContextCodes = new Set([
  'BillPayment',
  'EcommerceGoods',
  'EcommerceServices',
  'PartyToParty',
  'PispPayee',
  'Other',
]);

type Money = { readonly Amount: string; readonly Currency: string };

type Initiation = JsonObject & {
  readonly EndToEndIdentification?: string;
  readonly LocalInstrument: string;
  readonly InstructedAmount: Money;
  readonly FirstPaymentAmount: Money;
  readonly CreditorAccount: AccountOnWire;
  readonly DebtorAccount: AccountOnWire;
  readonly RemittanceInformation: JsonObject;
};

type AccountOnWire = JsonObject & {
  readonly SchemeName: string;
  readonly Identification: string;
  readonly Name: string;
};

export const readConsentRequest = (
  { profile: { wire: traits }, tools: { clock } }: Bank,
  kind: OrderKind,
  version: StandardVersion,
  body: JsonObject,
): ConsentTerms => {
  refuseInvalid(version, kind.consentSchema, body);
  const data = body.Data as JsonObject;
  const risk = body.Risk as JsonObject;
  const initiation = data.Initiation as Initiation;
  refuseUnsupported(initiation, kind);
  refuseRisk(traits, risk);
  if (kind.isLater) refuseDay(initiation, clock.now());
  // A standing order of version 3 has no more than a reference.
  const remittance = initiation.RemittanceInformation ?? initiation;
  const reference = wireVersions[version].referenceOf(remittance);
  if (reference.length > traits.referenceLengthMax) {
    const path = `${initiationPath}.RemittanceInformation`;
    throw badRequest('U002', 'The reference is too long for this bank.', path);
  }
  return {
    version,
    wireData: data,
    wireRisk: risk,
    amountPence: penceOf(initiation, kind),
    endToEndIdentification: initiation.EndToEndIdentification ?? '',
    creditor: payeeOf(initiation.CreditorAccount),
    reference,
    wantsRefundAccount: data.ReadRefundAccount === 'Yes',
  };
};

export const readPaymentRequest = (
  kind: OrderKind,
  version: StandardVersion,
  body: JsonObject,
): PaymentOrder => {
  refuseInvalid(version, kind.orderSchema, body);
  const data = body.Data as JsonObject;
  return {
    version,
    consentId: data.ConsentId as string,
    initiation: data.Initiation as Json,
    risk: body.Risk as Json,
  };
};

const refuseUnsupported = (initiation: Initiation, { amountMember }: OrderKind): void => {
  if (initiation[amountMember].Currency !== 'GBP') {
    const path = `${initiationPath}.${amountMember}.Currency`;
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
};

const refuseDay = (initiation: Initiation, now: number): void => {
  const day = firstDayOf(initiation);
  if (day === undefined || Date.parse(day) > now) return;
  throw badRequest('U003', 'The day of the payment must be in the future.', initiationPath);
};

const refuseRisk = (traits: WireTraits, risk: JsonObject): void => {
  const code = String(risk.PaymentContextCode);
  const isRefused = traits.contextCode
    ? code !== traits.contextCode
    : withdrawnContextCodes.has(code);
  if (isRefused) {
    throw badRequest('U002', 'This code may not be used here.', 'Risk.PaymentContextCode');
  }
  const indicator = Object.keys(risk).find((name) => name.startsWith('ContractPresent'));
  if (indicator && !traits.takesContractIndicator) {
    throw badRequest('U005', 'The member is not expected here.', `Risk.${indicator}`);
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

const penceOf = (initiation: Initiation, { amountMember }: OrderKind): bigint => {
  const [pounds = '0', fraction = ''] = initiation[amountMember].Amount.split('.');
  const pence = BigInt(pounds) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2));
  if (/[1-9]/.test(fraction.slice(2)) || pence === 0n) {
    const path = `${initiationPath}.${amountMember}.Amount`;
    throw badRequest('U002', 'The amount must be whole pence and more than nothing.', path);
  }
  return pence;
};

const payeeOf = (account: AccountOnWire): Party => ({
  name: account.Name,
  sortCode: account.Identification.slice(0, 6),
  accountNumber: account.Identification.slice(6),
});
