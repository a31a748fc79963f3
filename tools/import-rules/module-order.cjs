// A module imports only those before it.
const modules = [
  'merchants',
  'audit',
  'operators',
  'people',
  'events',
  'operator-cases',
  'ledger',
  'search',
  'customers',
  'cards',
  'payments',
  'checkout',
  'credits',
  'transfers',
  'refunds',
  'payouts',
  'exports',
  'bank-feed',
  'webhooks',
  'status',
  'point-of-sale',
  'dashboard',
  'erasure',
  'stuck-work',
  'sandbox',
  'cells',
];

// In each line the folders of a group import those of earlier groups, not each other. The files
// beside them (index, jobs, routes) come last. A `store` is part of its folder.
const foldersOfModules = {
  merchants: [['suspensions'], ['access'], ['stores'], ['settings']],
  people: [['access'], ['mails'], ['identity'], ['team']],
  payments: [['core'], ['requests'], ['bank', 'card'], ['dispute-answers']],
  checkout: [['input'], ['bank'], ['card'], ['views'], ['pages'], ['sdk', 'receipts', 'images']],
  refunds: [['core'], ['requests', 'outgoing']],
  'bank-feed': [['authorisations'], ['reading'], ['pages']],
  webhooks: [['endpoints'], ['secrets'], ['delivery'], ['history']],
  'webhooks/delivery': [['store'], ['attempt']],
};

// The files beside them are tools of their own, for every folder.
const foldersOfPlatform = [
  ['card-numbers'],
  ['database'],
  ['embedded-postgres', 'outbound-http', 'secrets'],
  ['http'],
  ['idempotency'],
];

module.exports = { modules, foldersOfModules, foldersOfPlatform };
