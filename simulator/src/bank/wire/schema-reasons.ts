import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { RefusalReason } from '../refusal.ts';

export type SchemaName =
  | 'OBWriteDomesticConsent4'
  | 'OBWriteDomesticConsentResponse5'
  | 'OBWriteDomestic2'
  | 'OBWriteDomesticResponse5'
  | 'OBWriteFundsConfirmationResponse1'
  | 'OBWritePaymentDetailsResponse1'
  | 'OBErrorResponse1';

const file = new URL('../../../data/open-banking-v4.0.1/payment-initiation.json', import.meta.url);
const reasonsShown = 10;

let ajv: Ajv | undefined;

const validator = (name: SchemaName): ValidateFunction => {
  ajv ??= loadStandard();
  const validate = ajv.getSchema(`standard#/components/schemas/${name}`);
  if (!validate) throw new Error(`the standard has no schema ${name}`);
  return validate;
};

const loadStandard = (): Ajv => {
  const loaded = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(loaded);
  loaded.addFormat('int32', true);
  loaded.addSchema(JSON.parse(readFileSync(file, 'utf8')), 'standard');
  return loaded;
};

export const schemaReasons = (name: SchemaName, body: unknown): readonly RefusalReason[] => {
  const validate = validator(name);
  if (validate(body)) return [];
  return reasonsOf(validate.errors ?? []);
};

export const reasonsOf = (errors: readonly ErrorObject[]): readonly RefusalReason[] =>
  errors.slice(0, reasonsShown).map(reasonOf);

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
