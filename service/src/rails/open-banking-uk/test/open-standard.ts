import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';

/** One of the standard's OpenAPI files, as far as this connector uses it. */
export const openStandard = (part: StandardPart, version: StandardVersion): Standard => {
  const name = `${part}-${version}`;
  const known = opened.get(name);
  if (known) return known;
  const file = new URL(`../fixtures/${name}.json`, import.meta.url);
  const text = readFileSync(file, 'utf8').replaceAll('"$ref": "#/', '"$ref": "standard#/');
  const document = JSON.parse(text) as Document;
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'standard');
  const standard: Standard = {
    paths: document.paths,
    parameters: Object.values(document.components.parameters),
    resolve: <Value extends object>(value: Value | Reference): Value =>
      '$ref' in value ? (at(document, value.$ref) as Value) : value,
    findFaults: (schema, value) =>
      ajv.validate(schema, value)
        ? []
        : (ajv.errors ?? []).map((error) => `${error.instancePath} ${error.message}`.trim()),
  };
  opened.set(name, standard);
  return standard;
};

export type StandardPart = 'payment-initiation' | 'account-information' | 'events';
export type StandardVersion = '3.1.11' | '4.0.1';

export type Standard = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly parameters: readonly Parameter[];
  readonly resolve: <Value extends object>(value: Value | Reference) => Value;
  readonly findFaults: (schema: object, value: unknown) => readonly string[];
};

export type Operation = {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response | Reference>>;
};

export type Parameter = {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: object;
};

export type Response = {
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
};

export type Header = { readonly required?: boolean; readonly schema: object };
export type Content = Readonly<Record<string, { readonly schema: object }>>;
export type Reference = { readonly $ref: string };

type Document = Pick<Standard, 'paths'> & {
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
};

const opened = new Map<string, Standard>();

const at = (document: Document, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document);
