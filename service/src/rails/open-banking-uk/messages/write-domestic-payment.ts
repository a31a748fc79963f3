import { poundsText } from '#kernel/pence.ts';
import type { BankPaymentOrder } from '#rails/bank-rail.ts';
import type { ConsentTerms } from './codec.ts';

// What Faster Payments carries on: 18 characters of a reference, 40 of a name, of its own alphabet.
const referenceLength = 18;
const creditorNameLength = 40;

// The older codes must not be used for a new consent; a bank that wants one has it in its profile.
const contextCodes: readonly string[] = [
  'BillingGoodsAndServicesInAdvance',
  'BillingGoodsAndServicesInArrears',
  'EcommerceMerchantInitiatedPayment',
  'FaceToFacePointOfSale',
  'TransferToSelf',
  'TransferToThirdParty',
];

/** The members of a consent that both versions write alike, in their order. */
export const initiationOf = (order: BankPaymentOrder) => ({
  InstructionIdentification: order.instructionId,
  EndToEndIdentification: order.endToEndId,
  LocalInstrument: 'UK.OBIE.FPS',
  InstructedAmount: { Amount: poundsText(order.amountPence), Currency: 'GBP' },
  CreditorAccount: {
    SchemeName: 'UK.OBIE.SortCodeAccountNumber',
    Identification: `${digits(order.creditor.sortCode)}${digits(order.creditor.accountNumber)}`,
    Name: payeeName(order.creditor.name),
  },
});

export const referenceFor = (order: BankPaymentOrder, { referenceLengthMax }: ConsentTerms) =>
  schemeText(order.reference, Math.min(referenceLengthMax ?? referenceLength, referenceLength));

/** `contractPresent`: what the version calls that the payer and the merchant have a contract. */
export const riskOf = (order: BankPaymentOrder, terms: ConsentTerms, contractPresent: string) => {
  const contextCode = terms.contextCode ?? contextCodes.find((code) => code === order.contextCode);
  const customer = order.merchantCustomerReference.trim().slice(0, 70);
  return {
    ...(contextCode && { PaymentContextCode: contextCode }),
    ...(/^\d{3,4}$/.test(order.merchantCategoryCode) && {
      MerchantCategoryCode: order.merchantCategoryCode,
    }),
    ...(customer && { MerchantCustomerIdentification: customer }),
    ...(terms.saysContractPresent && { [contractPresent]: true }),
    BeneficiaryPrepopulatedIndicator: true,
    BeneficiaryAccountType: 'Business',
  };
};

/** What was consented to, as it was consented to. */
export const paymentBody = (consentId: string, consentBody: string): string => {
  const consent = JSON.parse(consentBody) as {
    readonly Data: { readonly Initiation: unknown };
    readonly Risk: unknown;
  };
  return JSON.stringify({
    Data: { ConsentId: consentId, Initiation: consent.Data.Initiation },
    Risk: consent.Risk,
  });
};

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
