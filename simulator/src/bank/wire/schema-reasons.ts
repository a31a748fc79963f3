import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { StandardVersion } from '../accounts/model.ts';
import type { RefusalReason } from '../refusal.ts';

export type SchemaName =
  | 'OBWriteDomesticConsent4'
  | 'OBWriteDomesticConsentResponse5'
  | 'OBWriteDomestic2'
  | 'OBWriteDomesticResponse5'
  | 'OBWriteFundsConfirmationResponse1'
  | 'OBWritePaymentDetailsResponse1'
  | 'OBErrorResponse1'
  | 'OBEventSubscription1'
  | 'OBEventSubscriptionResponse1';

const folders = { '3.1': 'open-banking-v3.1.11', '4.0': 'open-banking-v4.0.1' } as const;
const reasonsShown = 10;

const loaded = new Map<string, Ajv>();

const validator = (version: StandardVersion, name: SchemaName): ValidateFunction => {
  const file = `${folders[version]}/${name.startsWith('OBEvent') ? 'events' : 'payment-initiation'}`;
  const ajv = loaded.get(file) ?? loadStandard(file);
  const validate = ajv.getSchema(`standard#/components/schemas/${name}`);
  if (!validate) throw new Error(`the standard has no schema ${name}`);
  return validate;
};

const loadStandard = (file: string): Ajv => {
  const path = `../../../data/${file}.json`;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
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
  const validate = validator(version, name);
  if (validate(body)) return [];
  return reasonsOf(validate.errors ?? []);
};

const reasonsOf = (errors: readonly ErrorObject[]): readonly RefusalReason[] =>
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

export type AccountSchemaName =
  | 'OBReadConsent1'
  | 'OBReadConsentResponse1'
  | 'OBReadAccount6'
  | 'OBReadBalance1'
  | 'OBReadTransaction6'
  | 'OBErrorResponse1';

const accountFolders: Readonly<Record<StandardVersion, string>> = {
  '3.1': 'open-banking-v3.1.11',
  '4.0': 'open-banking-v4.0.1',
};
const loadedForAccounts = new Map<StandardVersion, Ajv>();

export const accountSchemaReasons = (
  version: StandardVersion,
  name: AccountSchemaName,
  body: unknown,
): readonly RefusalReason[] => {
  const validate = validatorOf(version, name);
  return validate(body) ? [] : reasonsOf(validate.errors ?? []);
};

const validatorOf = (version: StandardVersion, name: AccountSchemaName): ValidateFunction => {
  const ajv = loadedForAccounts.get(version) ?? load(version);
  loadedForAccounts.set(version, ajv);
  const validate = ajv.getSchema(`standard#/components/schemas/${name}`);
  if (!validate) throw new Error(`the standard has no schema ${name}`);
  return validate;
};

const load = (version: StandardVersion): Ajv => {
  const file = `../../../data/${accountFolders[version]}/account-information.json`;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addFormat('int32', true);
  ajv.addSchema(JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')), 'standard');
  return ajv;
};
