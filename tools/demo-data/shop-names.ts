export type Product = { readonly name: string; readonly pence: number };

/** All names are invented. */
export const shopNames = {
  stores: [
    {
      locationName: 'Dockside',
      addressLine1: '4 Rope Walk',
      city: 'Bristol',
      postalCode: 'BS1 4ZZ',
    },
    {
      locationName: 'Mill Lane',
      addressLine1: '17 Mill Lane',
      city: 'Leeds',
      postalCode: 'LS2 7ZZ',
    },
    {
      locationName: 'Roastery',
      addressLine1: 'Unit 6, Kiln Yard',
      city: 'York',
      postalCode: 'YO1 9ZZ',
    },
  ],
  firstNames: [
    ...['Ada', 'Amir', 'Beatrix', 'Callum', 'Dilys', 'Edwin', 'Farah', 'Gareth', 'Hana', 'Idris'],
    ...[
      'Jasmine',
      'Kwame',
      'Lorna',
      'Milo',
      'Niamh',
      'Osman',
      'Priya',
      'Rowan',
      'Saoirse',
      'Tomasz',
    ],
  ],
  lastNames: [
    ...['Ashdown', 'Bramley', 'Carrick', 'Dunmore', 'Ellwood', 'Farrow', 'Glenn', 'Hartley'],
    ...['Inskip', 'Jessop', 'Kirkby', 'Langdale', 'Marwood', 'Norcott', 'Okafor', 'Pemberley'],
  ],
  retail: [
    { name: 'Flat white', pence: 360 },
    { name: 'Filter coffee', pence: 310 },
    { name: 'Oat latte', pence: 420 },
    { name: 'Almond croissant', pence: 375 },
    { name: 'Cheese scone', pence: 340 },
    { name: 'House blend, 250 g', pence: 895 },
    { name: 'Sidamo, 250 g', pence: 1_150 },
    { name: 'Decaf, 250 g', pence: 950 },
    { name: 'Stoneware cup', pence: 1_400 },
    { name: 'Hand grinder', pence: 6_950 },
    { name: 'Paper filters, 100', pence: 650 },
    { name: 'Brunch for two', pence: 3_480 },
  ],
  wholesale: [
    { name: 'House blend, 10 kg sack', pence: 18_500 },
    { name: 'Espresso blend, 20 kg', pence: 34_900 },
    { name: 'Catering, half a day', pence: 42_000 },
    { name: 'Barista course for six', pence: 57_000 },
  ],
  banks: [
    ...['mock-sandbox-v1', 'harbour-sandbox', 'northfield-sandbox', 'copperleaf-sandbox'],
    ...['kestrel-sandbox', 'larkrise-sandbox', 'tidewater-sandbox', 'emberly-sandbox'],
  ],
  /** Test numbers of the simulated card processor. */
  paidCards: ['4242424242424242', '5555555555554444', '4000000000000127', '4000056655665556'],
  savedCards: ['4000000000000127', '5555555555550127', '4000003800000446'],
  /** Saves well, and declines each later charge. */
  laterDeclinedCard: '4000000000000341',
  declinedCards: [
    ...['4000000000000002', '4000000000000143', '4000000000000069', '4000000000009987'],
    ...['4000000000000119', '4897453568485113', '4000008400001629'],
  ],
  challengedCard: '4000000000000127',
  disputeLostCard: '4000000000000259',
  disputeWonCard: '4000000000002685',
  refundFailsCard: '4000000000005126',
} as const satisfies {
  readonly stores: readonly object[];
  readonly retail: readonly Product[];
  readonly wholesale: readonly Product[];
  readonly [name: string]: unknown;
};
