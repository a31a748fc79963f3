import { readFile } from 'node:fs/promises';
import { type StatementTraits, usualStatement, usualWire, type WireTraits } from './bank-traits.ts';

export type BankProfile = {
  readonly id: string;
  readonly name: string;
  readonly shortName: string;
  readonly colour: string;
  readonly kind: 'personal' | 'business' | 'both';
  readonly organisationId: string;
  readonly sortCode: string;
  readonly limitPence: bigint;
  // Offered before the others.
  readonly isPopular: boolean;
  // False: down for maintenance. It is listed and answers, but no client should offer it.
  readonly isEnabled: boolean;
  readonly statement: StatementTraits;
  readonly wire: WireTraits;
  // The name of its key, if it shares one.
  readonly signsWith?: string;
};

type Difference = Pick<BankProfile, 'id' | 'name' | 'shortName' | 'colour' | 'limitPence'> & {
  readonly kind?: BankProfile['kind'];
  readonly isPopular?: boolean;
  readonly isEnabled?: boolean;
  readonly statement?: Partial<StatementTraits>;
  readonly wire?: Partial<WireTraits>;
};

// Invented names and sort codes: no bank carries either.
const bank = (difference: Difference, position: number): BankProfile => ({
  kind: 'personal',
  isPopular: false,
  isEnabled: true,
  ...difference,
  organisationId: `sim0bank${String(position + 1).padStart(7, '0')}AAA`,
  sortCode: String(1_001 + position).padStart(6, '0'),
  statement: { ...usualStatement, ...difference.statement },
  wire: { ...usualWire, ...difference.wire },
});

const differences: readonly Difference[] = [
  // The first is the default: a personal bank, so that it stands on the tab that clients open first.
  {
    id: 'mock-sandbox-v1',
    name: 'Mock Sandbox Bank',
    shortName: 'Mock',
    colour: '#1f4e79',
    limitPence: 100_000_000n,
    isPopular: true,
    statement: { isStatic: true },
  },
  {
    id: 'harbour-sandbox',
    name: 'Harbour & Quay (simulated)',
    shortName: 'Harbour',
    colour: '#0b6e69',
    limitPence: 2_500_000n,
    isPopular: true,
    statement: { version: '3.1' },
  },
  {
    id: 'northfield-sandbox',
    name: 'Northfield Mutual (simulated)',
    shortName: 'Northfield',
    colour: '#5b2a86',
    kind: 'both',
    limitPence: 1_000_000n,
    isPopular: true,
    statement: { rotatesRefreshTokens: true, daysWithoutLogin: 90 },
    wire: { sendsEvents: true },
  },
  {
    id: 'copperleaf-sandbox',
    name: 'Copperleaf Business (simulated)',
    shortName: 'Copperleaf',
    colour: '#8a3b12',
    kind: 'business',
    limitPence: 25_000_000n,
    isPopular: true,
    statement: { pageSize: 1000 },
  },
  {
    id: 'kestrel-sandbox',
    name: 'Kestrel & Vane (simulated)',
    shortName: 'Kestrel',
    colour: '#2f5d1e',
    limitPence: 2_500_000n,
    isPopular: true,
    statement: { version: '3.1', unattendedCalls: 4 },
  },
  {
    id: 'larkrise-sandbox',
    name: 'Larkrise Building Society (simulated)',
    shortName: 'Larkrise',
    colour: '#9c1c4b',
    kind: 'both',
    limitPence: 1_000_000n,
    statement: { hasTransactionIds: false },
    wire: {
      version: '3.1',
      sendsEvents: true,
      tokenAuth: 'tls_client_auth',
      responseMode: 'fragment',
      authorisation: 'jar',
    },
  },
  {
    id: 'tidewater-sandbox',
    name: 'Tidewater (simulated)',
    shortName: 'Tidewater',
    colour: '#14527a',
    limitPence: 5_000_000n,
    statement: { version: '3.1', pageSize: 25, overlap: 2 },
    wire: {
      responseMode: 'fragment',
      authorisation: 'jar',
      idTokenSubject: 'customer',
      idTokenLacks: ['acr'],
      advisesFundsConfirmation: true,
    },
  },
  {
    id: 'emberly-sandbox',
    name: 'Emberly Digital (simulated)',
    shortName: 'Emberly',
    colour: '#b23a00',
    kind: 'both',
    limitPence: 25_000_000n,
    statement: { links: 'doubled-slash' },
    wire: {
      tokenAuth: 'tls_client_auth',
      responseMode: 'query',
      authorisation: 'jar',
      discoveryPath: '/openid-configuration',
      doublesSlashInLinks: true,
    },
  },
  {
    id: 'greyfriars-sandbox',
    name: 'Greyfriars Private (simulated)',
    shortName: 'Greyfriars',
    colour: '#4a4a55',
    limitPence: 100_000_000n,
    statement: { links: 'other-host', scheme: 'IBAN' },
    wire: {
      version: '3.1',
      tokenAuth: 'client_secret_basic',
      responseMode: 'query',
      authorisation: 'jar',
      signsRawBody: true,
      wantsScopeWithCode: true,
      idTokenSubject: 'client',
      idTokenLacks: ['acr', 'nonce'],
    },
  },
  {
    id: 'foxglove-sandbox',
    name: 'Foxglove (simulated, down)',
    shortName: 'Foxglove',
    colour: '#7d2fa0',
    limitPence: 2_500_000n,
    isEnabled: false,
  },
];

export const banks: readonly BankProfile[] = differences.map(bank);

// The ten banks, and those of a file: a list of `{id, name?, kind?, wire}`.
export const listBanks = async (path: string | undefined): Promise<readonly BankProfile[]> => {
  if (path === undefined) return banks;
  const rows: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!Array.isArray(rows)) throw new Error(`${path} is not a list of banks`);
  return [...banks, ...rows.map((row: FurtherBank, position) => profileOf(row, position))];
};

// Their own key would take a while to make, and no client can tell.
export const furtherBanksKey = 'further-banks';

type FurtherBank = {
  readonly id: string;
  readonly name?: string;
  readonly kind?: BankProfile['kind'];
  readonly wire: Partial<WireTraits>;
};

const profileOf = ({ id, name = id, kind = 'both', wire }: FurtherBank, position: number) => {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(id)) throw new Error(`"${id}" is no id of a bank`);
  if (banks.some((bank) => bank.id === id)) throw new Error(`there is a bank "${id}" already`);
  const unknown = Object.keys(wire).find((trait) => !Object.hasOwn(usualWire, trait));
  if (unknown) throw new Error(`the bank "${id}" has an unknown trait "${unknown}"`);
  const usual = { shortName: name, colour: '#334155', limitPence: 100_000_000n };
  return {
    ...bank({ ...usual, id, name, kind, wire, statement: { version: wire.version ?? '4.0' } }, 0),
    organisationId: `sim1bank${String(position).padStart(7, '0')}AAA`,
    sortCode: String(2_000 + position).padStart(6, '0'),
    signsWith: furtherBanksKey,
  };
};
