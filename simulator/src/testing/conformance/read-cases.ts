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

/** Why a case cannot be held by the simulated banks; null: it must pass. */
export const notApplicable = ({ id }: Case): string | null =>
  reasons.get(id.replace(/^OB-\d+-/, '')) ?? null;

const casesByReason: Readonly<Record<string, readonly string[]>> = {
  'There is no list of transactions over all accounts: the standard leaves it to the bank.': [
    ...['TRA-105200', 'TRA-105400', 'TRA-105600'],
  ],
  'Products are not offered: what a bank says of one says nothing of an account.': [
    ...['PRO-102802', 'PRO-103200', 'PRO-103300', 'PRO-103400', 'PRO-103402', 'PRO-103403'],
  ],
  'The suite asks for 403 here and, of the same order, for 200: it reads the first amount as the final one.':
    ['DOP-1015002'],
  'International payments are not offered: these banks are in the UK and hold pounds only.': [
    ...['DOP-101600', 'DOP-101700', 'DOP-101800', 'DOP-101900', 'DOP-102000', 'DOP-102100'],
    ...['DOP-102200', 'DOP-102300'],
  ],
};

const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries(casesByReason).flatMap(([reason, cases]) =>
    cases.map((name) => [name, reason] as const),
  ),
);

export const notApplicableCases = [...reasons.keys()];
