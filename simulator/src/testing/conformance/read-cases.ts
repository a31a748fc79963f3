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
  'There is no list over all accounts: the standard leaves it to the bank.': [
    ...['BAL-101300', 'BAL-101500', 'BAL-101700', 'BAL-101703', 'TRA-105200', 'TRA-105400'],
    ...['TRA-105600'],
  ],
  'Beneficiaries are not offered.': [
    ...['BEN-101800', 'BEN-101900', 'BEN-102000', 'BEN-102100', 'BEN-102200', 'BEN-102203'],
    ...['BEN-102204', 'BEN-102205', 'PAR-103103'],
  ],
  'Direct debits are not offered.': [
    ...['DIR-102300', 'DIR-102400', 'DIR-102500', 'DIR-102502', 'DIR-102503', 'DIR-102504'],
  ],
  'Offers are not offered.': [
    ...['OFF-102600', 'OFF-102700', 'OFF-102800', 'OFF-102802', 'OFF-102803', 'OFF-102804'],
  ],
  'Parties are not offered.': [
    ...['PAR-102900', 'PAR-102901', 'PAR-102902', 'PAR-103000', 'PAR-103100', 'PAR-103102'],
    ...['PAR-103104', 'PAR-103105', 'PAR-103106', 'PAR-103108'],
  ],
  'Products are not offered.': [
    ...['PRO-102802', 'PRO-103200', 'PRO-103300', 'PRO-103400', 'PRO-103402', 'PRO-103403'],
  ],
  'Scheduled payments of an account are not offered.': [
    ...['SCP-103500', 'SCP-103600', 'SCP-103700', 'SCP-103702', 'SCP-103703', 'SCP-103704'],
  ],
  'Standing orders of an account are not offered.': [
    ...['STO-103800', 'STO-103900', 'STO-103901', 'STO-104000', 'STO-104101', 'STO-104102'],
    ...['STO-104103'],
  ],
  'Statements are not offered; transactions are.': [
    ...['STA-105900', 'STA-106000', 'STA-106100', 'STA-106200', 'STA-106300'],
  ],
  'Scheduled payments are not offered.': [
    ...['DOP-100800', 'DOP-100810', 'DOP-100820', 'DOP-100900', 'DOP-101000', 'DOP-101100'],
    ...['DOP-101101'],
  ],
  'Standing orders are not offered.': [
    ...['DOP-101200', 'DOP-101300', 'DOP-101400', 'DOP-101401', 'DOP-101500'],
    ...['DOP-1015001', 'DOP-1015002'],
  ],
  'International payments are not offered.': [
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
