import { openStandard, type StandardPart, type StandardVersion } from './open-standard.ts';

/** For tests: errors of a message under the standard's own schema. */
export const findSchemaFaults = (
  schema: SchemaName,
  message: unknown,
  version: StandardVersion = '4.0.1',
): readonly string[] =>
  openStandard(partOf[schema], version).findFaults(referenceTo(schema), message);

const references = new Map<SchemaName, object>();

/** The same object each time: Ajv compiles each object that it has not seen. */
const referenceTo = (schema: SchemaName): object => {
  const reference = references.get(schema) ?? { $ref: `standard#/components/schemas/${schema}` };
  references.set(schema, reference);
  return reference;
};

/** The same for the headers, which the standard describes one by one. */
export const findHeaderFaults = (
  headers: Readonly<Record<string, unknown>>,
  part: StandardPart = 'payment-initiation',
  version: StandardVersion = '4.0.1',
): readonly string[] => {
  const { parameters, findFaults } = openStandard(part, version);
  const described = parameters.filter((each) => each.in === 'header');
  return described.flatMap(({ name, required, schema }) => {
    const value = headers[name.toLowerCase()];
    if (value === undefined) return required ? [`${name} is missing`] : [];
    return findFaults(schema, value).map((fault) => `${name} ${fault}`);
  });
};

type SchemaName = keyof typeof partOf;

const partOf = {
  OBWriteDomesticConsent4: 'payment-initiation',
  OBWriteDomestic2: 'payment-initiation',
  OBReadConsent1: 'account-information',
  OBEventSubscription1: 'events',
  OBEventSubscriptionResponse1: 'events',
  OBEventNotification1: 'events',
} as const satisfies Readonly<Record<string, StandardPart>>;
