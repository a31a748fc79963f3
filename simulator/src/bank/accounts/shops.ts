// Invented shops, people and firms: none of them exists.
export const shops = {
  groceries: [
    { name: 'Hedgerow Stores', from: 640, to: 8_450 },
    { name: 'Saltmarsh Foods', from: 410, to: 11_900 },
    { name: 'The Corner Larder', from: 180, to: 2_650 },
  ],
  everyday: [
    { name: 'Penhallow Coffee', from: 280, to: 1_340 },
    { name: 'Tramline Transport', from: 175, to: 1_280 },
    { name: 'Quillfeather Books', from: 699, to: 4_899 },
    { name: 'Maple & Rye Bakery', from: 220, to: 1_860 },
    { name: 'Fernbank Pharmacy', from: 249, to: 2_310 },
    { name: 'Lanternlight Cinema', from: 850, to: 4_200 },
    { name: 'Oddfellow Hardware', from: 399, to: 9_780 },
  ],
} as const;

export const subscriptions = [
  { name: 'Larkspur Energy', day: 3, from: 8_900, to: 14_800, reference: 'LE-20417733' },
  { name: 'Weir Water', day: 8, from: 3_240, to: 3_240, reference: 'WW 55310092' },
  { name: 'Threadwire Broadband', day: 12, from: 3_399, to: 3_399, reference: 'TB774120' },
  { name: 'Reelhouse Films', day: 17, from: 1_099, to: 1_099, reference: 'REELHOUSE' },
  { name: 'Borough of Millstone', day: 20, from: 16_850, to: 16_850, reference: 'CTAX 881204' },
] as const;

export const people = ['M Okonjo', 'S Whitcombe', 'R Delacroix', 'P Ahmadi', 'J Tarrant'] as const;

export const employers = ['Brightwater Ltd', 'Cobalt Press', 'Northgate Trust'] as const;

export const customersOfBusiness = [
  'Ashgrove Interiors',
  'Bellamy & Daughters',
  'Crosswind Cycles',
  'Dovecote Lettings',
  'Elmtree Dental',
] as const;

export const suppliers = [
  { name: 'Packwell Supplies', from: 8_400, to: 96_000 },
  { name: 'Rivet Logistics', from: 12_000, to: 71_000 },
  { name: 'Harcourt Wholesale', from: 45_000, to: 410_000 },
] as const;
