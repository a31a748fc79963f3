export type BankProfile = {
  readonly id: string;
  readonly name: string;
  readonly shortName: string;
  readonly colour: string;
  readonly kind: 'personal' | 'business' | 'both';
  readonly organisationId: string;
  readonly sortCode: string;
  readonly limitPence: bigint;
};

// Invented names and sort codes: no bank carries either.
export const banks: readonly BankProfile[] = [
  {
    id: 'mock-sandbox-v1',
    name: 'Mock Sandbox Bank',
    shortName: 'Mock',
    colour: '#1f4e79',
    kind: 'both',
    organisationId: 'sim0bank000000001AAA',
    sortCode: '001001',
    limitPence: 100_000_000n,
  },
  {
    id: 'harbour-sandbox',
    name: 'Harbour & Quay (simulated)',
    shortName: 'Harbour',
    colour: '#0b6e69',
    kind: 'personal',
    organisationId: 'sim0bank000000002AAA',
    sortCode: '001002',
    limitPence: 2_500_000n,
  },
  {
    id: 'northfield-sandbox',
    name: 'Northfield Mutual (simulated)',
    shortName: 'Northfield',
    colour: '#5b2a86',
    kind: 'both',
    organisationId: 'sim0bank000000003AAA',
    sortCode: '001003',
    limitPence: 1_000_000n,
  },
  {
    id: 'copperleaf-sandbox',
    name: 'Copperleaf Business (simulated)',
    shortName: 'Copperleaf',
    colour: '#8a3b12',
    kind: 'business',
    organisationId: 'sim0bank000000004AAA',
    sortCode: '001004',
    limitPence: 25_000_000n,
  },
];
