import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';

/** For tests: errors of a sent message under the standard's own schema. */
export const findSchemaFaults = (
  schema: SentSchema,
  message: unknown,
  version: Version = '4.0.1',
): readonly string[] => {
  const part = schema.startsWith('OBEvent') ? 'events' : 'payment-initiation';
  const { ajv } = standardOf(version, part);
  const validate = ajv.getSchema(`standard#/components/schemas/${schema}`);
  if (!validate) throw new Error(`the standard has no schema ${schema}`);
  if (validate(message)) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
};

/** The same for the headers, which the standard describes one by one. */
export const findHeaderFaults = (headers: Readonly<Record<string, unknown>>): readonly string[] => {
  const { ajv, standard } = standardOf('4.0.1');
  return Object.values(standard.components.parameters).flatMap(({ name, required, schema }) => {
    const value = headers[name.toLowerCase()];
    if (value === undefined) return required ? [`${name} is missing`] : [];
    return ajv.validate(schema, value) ? [] : [`${name} ${ajv.errorsText()}`];
  });
};

type Version = '3.1.11' | '4.0.1';

type Part = 'payment-initiation' | 'events';

type SentSchema =
  | 'OBWriteDomesticConsent4'
  | 'OBWriteDomestic2'
  | 'OBEventSubscription1'
  | 'OBEventSubscriptionResponse1';

type Standard = {
  readonly components: {
    readonly parameters: Readonly<
      Record<string, { readonly name: string; readonly required: boolean; readonly schema: object }>
    >;
  };
};

const loaded = new Map<string, { readonly ajv: Ajv; readonly standard: Standard }>();

const standardOf = (version: Version, part: Part = 'payment-initiation') => {
  const name = `${part}-${version}`;
  const known = loaded.get(name);
  if (known) return known;
  const file = new URL(`../fixtures/${name}.json`, import.meta.url);
  const standard = JSON.parse(readFileSync(file, 'utf8')) as Standard;
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(standard, 'standard');
  const opened = { ajv, standard };
  loaded.set(name, opened);
  return opened;
};
