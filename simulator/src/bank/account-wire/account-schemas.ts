import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { StandardVersion } from '../accounts/model.ts';
import type { RefusalReason } from '../refusal.ts';
import { reasonsOf } from '../wire/schema-reasons.ts';

export type AccountSchemaName =
  | 'OBReadConsent1'
  | 'OBReadConsentResponse1'
  | 'OBReadAccount6'
  | 'OBReadBalance1'
  | 'OBReadTransaction6'
  | 'OBErrorResponse1';

const folders: Readonly<Record<StandardVersion, string>> = {
  '3.1': 'open-banking-v3.1.11',
  '4.0': 'open-banking-v4.0.1',
};
const loaded = new Map<StandardVersion, Ajv>();

export const accountSchemaReasons = (
  version: StandardVersion,
  name: AccountSchemaName,
  body: unknown,
): readonly RefusalReason[] => {
  const validate = validatorOf(version, name);
  return validate(body) ? [] : reasonsOf(validate.errors ?? []);
};

const validatorOf = (version: StandardVersion, name: AccountSchemaName): ValidateFunction => {
  const ajv = loaded.get(version) ?? load(version);
  loaded.set(version, ajv);
  const validate = ajv.getSchema(`standard#/components/schemas/${name}`);
  if (!validate) throw new Error(`the standard has no schema ${name}`);
  return validate;
};

const load = (version: StandardVersion): Ajv => {
  const file = `../../../data/${folders[version]}/account-information.json`;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addFormat('int32', true);
  ajv.addSchema(JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')), 'standard');
  return ajv;
};
