import { readFileSync } from 'node:fs';

export type Version = '3.1' | '4.0';

/** A case of the official suite, as its manifest writes it. */
export type Case = {
  readonly id: string;
  readonly description: string;
  readonly method: 'get' | 'post' | 'delete';
  readonly uri: string;
  readonly uriImplementation: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly removeHeaders?: readonly string[];
  readonly removeSignatureClaims?: readonly string[];
  readonly queryParameters?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly permissions?: readonly string[];
  readonly asserts?: readonly string[];
  readonly asserts_one_of?: readonly string[];
  readonly asserts_last_if_all?: readonly string[];
  readonly keepContextOnSuccess?: { readonly name: string; readonly value: string };
  readonly useCCGToken?: boolean;
  readonly schemaCheck?: boolean;
  readonly validateSignature?: boolean;
};

export type Match = {
  readonly JSON?: string;
  readonly Value?: string;
  readonly 'JSON-NOT-PRESENT'?: string;
  readonly header?: string;
  readonly value?: string;
  readonly 'header-present'?: string;
};

export type Assertion = { readonly 'status-code'?: number; readonly matches?: readonly Match[] };

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));

export const readCases = (api: 'accounts_transactions' | 'payment', version: Version) =>
  read(`ob_${version}_${api}_fca`).scripts as readonly Case[];

type References<Item> = { readonly references: Readonly<Record<string, Item>> };

export const bodyTemplates = (read('data') as References<{ readonly body: unknown }>).references;
export const assertions = (read('assertions') as References<{ readonly expect: Assertion }>)
  .references;
