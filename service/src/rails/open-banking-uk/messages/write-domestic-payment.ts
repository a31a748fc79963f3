import { poundsText } from '#kernel/pence.ts';
import type { BankPaymentOrder } from '#rails/bank-rail.ts';
import type { StandardVersion } from '../settings/bank-profile.ts';

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

/** What the two versions of the standard, 3.1.11 and 4.0.1, write in their own ways. */
const wordings = {
  '3.1': {
    // The standard's own spelling: banks of this version know no other.
    contractPresent: 'ContractPresentInidicator',
    remittance: (reference: string) => ({ Reference: reference }),
  },
  '4.0': {
    contractPresent: 'ContractPresentIndicator',
    remittance: (reference: string) => ({
      Structured: [{ CreditorReferenceInformation: { Reference: reference } }],
    }),
  },
} as const satisfies Readonly<Record<StandardVersion, object>>;

export type ConsentTerms = {
  readonly version: StandardVersion;
  readonly contextCode?: string;
  readonly saysContractPresent: boolean;
  readonly referenceLengthMax?: number;
  readonly readRefundAccount: boolean;
};

export const consentBody = (order: BankPaymentOrder, terms: ConsentTerms): string => {
  const { contractPresent, remittance } = wordings[terms.version];
  const lengthMax = Math.min(terms.referenceLengthMax || referenceLength, referenceLength);
  const reference = schemeText(order.reference, lengthMax);
  const contextCode = terms.contextCode || contextCodes.find((code) => code === order.contextCode);
  const customer = order.merchantCustomerReference.trim().slice(0, 70);
  return JSON.stringify({
    Data: {
      ReadRefundAccount: terms.readRefundAccount ? 'Yes' : 'No',
      Initiation: {
        InstructionIdentification: order.instructionId,
        EndToEndIdentification: order.endToEndId,
        LocalInstrument: 'UK.OBIE.FPS',
        InstructedAmount: { Amount: poundsText(order.amountPence), Currency: 'GBP' },
        CreditorAccount: {
          SchemeName: 'UK.OBIE.SortCodeAccountNumber',
          Identification: `${order.creditor.sortCode}${order.creditor.accountNumber}`.replace(
            /\D/g,
            '',
          ),
          Name: payeeName(order.creditor.name),
        },
        ...(reference && { RemittanceInformation: remittance(reference) }),
      },
    },
    Risk: {
      ...(contextCode && { PaymentContextCode: contextCode }),
      ...(/^\d{3,4}$/.test(order.merchantCategoryCode) && {
        MerchantCategoryCode: order.merchantCategoryCode,
      }),
      ...(customer && { MerchantCustomerIdentification: customer }),
      ...(terms.saysContractPresent && { [contractPresent]: true }),
      BeneficiaryPrepopulatedIndicator: true,
      BeneficiaryAccountType: 'Business',
    },
  });
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

const schemeText = (text: string, length: number): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 /\-?:().,'+&@#=!%*]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, length)
    .trim();
