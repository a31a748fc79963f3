import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { StandardVersion } from '../model.ts';
import { Refusal, type RefusalReason } from '../refusal.ts';

const schemas = {
  'payment-initiation': [
    'OBWriteDomesticConsent4',
    'OBWriteDomesticConsentResponse5',
    'OBWriteDomestic2',
    'OBWriteDomesticResponse5',
    'OBWriteDomesticScheduledConsent4',
    'OBWriteDomesticScheduledConsentResponse5',
    'OBWriteDomesticScheduled2',
    'OBWriteDomesticScheduledResponse5',
    'OBWriteDomesticStandingOrderConsent5',
    'OBWriteDomesticStandingOrderConsentResponse6',
    'OBWriteDomesticStandingOrder3',
    'OBWriteDomesticStandingOrderResponse6',
    'OBWriteFundsConfirmationResponse1',
    'OBWritePaymentDetailsResponse1',
    'OBErrorResponse1',
  ],
  'account-information': [
    'OBReadConsent1',
    'OBReadConsentResponse1',
    'OBReadAccount6',
    'OBReadBalance1',
    'OBReadTransaction6',
    'OBReadBeneficiary5',
    'OBReadDirectDebit2',
    'OBReadOffer1',
    'OBReadParty2',
    'OBReadParty3',
    'OBReadScheduledPayment3',
    'OBReadStandingOrder6',
    'OBReadStatement2',
  ],
  events: ['OBEventSubscription1', 'OBEventSubscriptionResponse1'],
} as const;

type Part = keyof typeof schemas;
export type SchemaName = (typeof schemas)[Part][number];

const folders = { '3.1': 'open-banking-v3.1.11', '4.0': 'open-banking-v4.0.1' } as const;
const reasonsShown = 10;

const loaded = new Map<string, Ajv>();

const loadStandard = (file: string): Ajv => {
  const known = loaded.get(file);
  if (known) return known;
  const path = `../../../data/${file}.json`;
  // The standard's files do not change: to check each against the rules of schemas took 30 ms of CPU.
  const ajv = new Ajv({
    ...{ strict: false, allErrors: true, validateFormats: true, validateSchema: false },
  });
  addFormats.default(ajv);
  ajv.addFormat('int32', true);
  ajv.addSchema(JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')), 'standard');
  loaded.set(file, ajv);
  return ajv;
};

export const schemaReasons = (
  version: StandardVersion,
  name: SchemaName,
  body: unknown,
): readonly RefusalReason[] => {
  const parts = Object.keys(schemas) as Part[];
  const part = parts.find((each) => (schemas[each] as readonly string[]).includes(name));
  const ajv = loadStandard(`${folders[version]}/${part}`);
  const validate = ajv.getSchema(`standard#/components/schemas/${name}`);
  if (!validate) throw new Error(`the standard has no schema ${name}`);
  return validate(body) ? [] : (validate.errors ?? []).slice(0, reasonsShown).map(reasonOf);
};

export const refuseInvalid = (version: StandardVersion, name: SchemaName, body: unknown): void => {
  const reasons = schemaReasons(version, name, body);
  if (reasons.length > 0) throw new Refusal(400, reasons);
};

const codeByKeyword: Readonly<Record<string, string>> = {
  required: 'U004',
  additionalProperties: 'U005',
};

const reasonOf = (error: ErrorObject): RefusalReason => {
  const member = error.params.missingProperty ?? error.params.additionalProperty;
  const parents = error.instancePath.split('/').slice(1);
  const path = [...parents, ...(typeof member === 'string' ? [member] : [])].join('.');
  const code = codeByKeyword[error.keyword] ?? 'U002';
  const message = `${error.message ?? 'is not valid'}`.slice(0, 500);
  return path === '' ? { code, message } : { code, message, path: path.slice(0, 500) };
};
