import type * as contract from '../index.ts';
import type * as dashboard from './index.ts';

/**
 * What a person may do in one merchant's dashboard. A word that ends in `.read` changes nothing of the
 * merchant: a view that a person saves is their own (DASHBOARD-47).
 */
export const permissions = [
  'money.read',
  'payments.read',
  'payerAccounts.read',
  'payments.create',
  'payments.refund',
  'refunds.propose',
  'payments.capture',
  'disputes.answer',
  'links.write',
  'till.use',
  'customers.read',
  'customers.write',
  'payouts.read',
  'payoutDetails.write',
  'bankFeed.read',
  'bankFeed.write',
  'secrets.read',
  'secrets.write',
  'webhooks.read',
  'webhooks.write',
  'developer.read',
  'sandbox.use',
  'settings.read',
  'settings.write',
  'team.read',
  'team.write',
  'audit.read',
] as const;

export type Permission = (typeof permissions)[number];

export const roles = ['owner', 'manager', 'cashier', 'developer', 'readOnly'] as const;

export type Role = (typeof roles)[number];

const everyRead = permissions.filter((permission) => permission.endsWith('.read'));

const except =
  (...left: readonly Permission[]) =>
  (permission: Permission): boolean =>
    !left.includes(permission);

/** Each role with all that it permits (PEOPLE-5). */
export const permissionsOf: { readonly [Name in Role]: readonly Permission[] } = {
  owner: permissions,
  manager: permissions.filter(
    except('payoutDetails.write', 'secrets.write', 'webhooks.write', 'team.write'),
  ),
  cashier: [
    'payments.read',
    'payments.create',
    'refunds.propose',
    'links.write',
    'till.use',
    'customers.read',
  ],
  developer: [
    ...everyRead.filter(
      except('money.read', 'payerAccounts.read', 'payouts.read', 'team.read', 'audit.read'),
    ),
    'payments.create',
    'secrets.write',
    'webhooks.write',
    'sandbox.use',
  ],
  readOnly: everyRead.filter(
    except('payerAccounts.read', 'secrets.read', 'team.read', 'audit.read'),
  ),
};

export type Requirement = {
  readonly permission: Permission;
  /** Signed in again a short while ago: `limits.stepUpMs` (PEOPLE-6). */
  readonly stepUp?: true;
  /** Both environments share what it changes: it needs in the sandbox what production needs (PEOPLE-5). */
  readonly changesProduction?: true;
};

/** The merchant's operations that people call, by id. What is not here they cannot call. */
const merchantOperations = {
  listBankAccounts: { permission: 'bankFeed.read' },
  getBankAccount: { permission: 'bankFeed.read' },
  getBankBalance: { permission: 'bankFeed.read' },
  listBankTransactions: { permission: 'bankFeed.read' },
  getBankAuthorisation: { permission: 'bankFeed.read' },
  initiateBankAuthorisation: { permission: 'bankFeed.write' },
  revokeBankAuthorisation: { permission: 'bankFeed.write' },
  linkInSandbox: { permission: 'sandbox.use' },
  listCustomers: { permission: 'customers.read' },
  getCustomer: { permission: 'customers.read' },
  listCustomerCards: { permission: 'customers.read' },
  getCustomerCard: { permission: 'customers.read' },
  createCustomer: { permission: 'customers.write' },
  updateCustomer: { permission: 'customers.write' },
  deleteCustomer: { permission: 'customers.write' },
  deleteCustomerCard: { permission: 'customers.write' },
  listInstitutions: { permission: 'payments.read' },
  getPaymentStatus: { permission: 'payments.read' },
  searchTransactions: { permission: 'payments.read' },
  listReceiptMails: { permission: 'payments.read' },
  listStores: { permission: 'payments.read' },
  listRefunds: { permission: 'payments.read' },
  requestPayment: { permission: 'payments.create' },
  cancelPaymentRequest: { permission: 'payments.create' },
  chargeCard: { permission: 'payments.capture' },
  captureCardPayment: { permission: 'payments.capture' },
  cancelCardPayment: { permission: 'payments.capture' },
  requestRefund: { permission: 'payments.refund', stepUp: true },
  cancelRefund: { permission: 'payments.refund' },
  listPayouts: { permission: 'payouts.read' },
  listPayoutTransactions: { permission: 'payouts.read' },
  listPayoutMatches: { permission: 'payouts.read' },
  payInSandbox: { permission: 'sandbox.use' },
  advanceSandboxClock: { permission: 'sandbox.use' },
  enterSandboxRefundAccount: { permission: 'sandbox.use' },
  setSandboxAmountParts: { permission: 'sandbox.use' },
  setSandboxSwitches: { permission: 'sandbox.use' },
  setSandboxTips: { permission: 'sandbox.use' },
  setWebhookStatus: { permission: 'sandbox.use' },
  triggerTestWebhook: { permission: 'sandbox.use' },
  listWebhooks: { permission: 'webhooks.read' },
  listWebhookEvents: { permission: 'webhooks.read' },
  listWebhookMails: { permission: 'webhooks.read' },
  listWebhookEndpoints: { permission: 'webhooks.read' },
  getWebhookEndpoint: { permission: 'webhooks.read' },
  listWebhookDeliveries: { permission: 'webhooks.read' },
  getWebhookDelivery: { permission: 'webhooks.read' },
  listWebhookEventTypes: { permission: 'webhooks.read' },
  createWebhook: { permission: 'webhooks.write' },
  deleteWebhook: { permission: 'webhooks.write' },
  createWebhookEndpoint: { permission: 'webhooks.write' },
  updateWebhookEndpoint: { permission: 'webhooks.write' },
  deleteWebhookEndpoint: { permission: 'webhooks.write' },
  replayWebhooks: { permission: 'webhooks.write' },
  rotateSigningSecret: { permission: 'webhooks.write', stepUp: true },
  stageSigningSecret: { permission: 'webhooks.write', stepUp: true },
  promoteSigningSecret: { permission: 'webhooks.write', stepUp: true },
} as const satisfies { readonly [Operation in keyof typeof contract]?: Requirement };

/** The operations of `contract/dashboard` with access `member`, by id. */
const memberOperations = {
  listTeam: { permission: 'team.read' },
  listAudit: { permission: 'audit.read' },
  inviteMember: { permission: 'team.write', stepUp: true },
  resendInvite: { permission: 'team.write', stepUp: true },
  withdrawInvite: { permission: 'team.write' },
  changeRole: { permission: 'team.write', stepUp: true, changesProduction: true },
  removeMember: { permission: 'team.write', stepUp: true, changesProduction: true },
  getMoney: { permission: 'money.read' },
  listMoneyRows: { permission: 'money.read' },
  getStatement: { permission: 'money.read' },
  getFunnel: { permission: 'money.read' },
  listFailures: { permission: 'payments.read' },
  getPaymentTimeline: { permission: 'payments.read' },
  listDisputes: { permission: 'payments.read' },
  getDisputeAnswer: { permission: 'payments.read' },
  saveDisputeEvidence: { permission: 'disputes.answer' },
  addDisputeFile: { permission: 'disputes.answer' },
  removeDisputeFile: { permission: 'disputes.answer' },
  submitDisputeAnswer: { permission: 'disputes.answer' },
  acceptDispute: { permission: 'disputes.answer', stepUp: true },
  findReference: { permission: 'payments.read' },
  addUpCustomers: { permission: 'customers.read' },
  getPaymentMoney: { permission: 'money.read' },
  listPayoutStores: { permission: 'payouts.read' },
  listMerchantRefunds: { permission: 'payments.read' },
  listPaymentLinks: { permission: 'payments.read' },
  getPaymentLink: { permission: 'payments.read' },
  mailPaymentLink: { permission: 'links.write' },
  mailReceipt: { permission: 'links.write' },
  createPaymentCode: { permission: 'links.write' },
  listPaymentCodes: { permission: 'payments.read' },
  setPaymentCodeStatus: { permission: 'links.write' },
  startTillSale: { permission: 'till.use' },
  getTillTips: { permission: 'till.use' },
  getTillSale: { permission: 'till.use' },
  listTillSales: { permission: 'till.use' },
  voidTillSale: { permission: 'till.use' },
  getCashUp: { permission: 'till.use' },
  proposeRefund: { permission: 'refunds.propose' },
  withdrawRefund: { permission: 'refunds.propose' },
  listRefundApprovals: { permission: 'payments.read' },
  approveRefund: { permission: 'payments.refund', stepUp: true },
  declineRefund: { permission: 'payments.refund' },
  setRefundApproval: { permission: 'team.write', stepUp: true },
  listSavedViews: { permission: 'payments.read' },
  saveView: { permission: 'payments.read' },
  deleteView: { permission: 'payments.read' },
  listBankLinks: { permission: 'bankFeed.read' },
  getNotifications: { permission: 'payments.read' },
  changeNotifications: { permission: 'payments.read' },
  getSettings: { permission: 'settings.read' },
  getPaymentSettings: { permission: 'settings.read' },
  changeSettings: { permission: 'settings.write', changesProduction: true },
  changeTips: { permission: 'settings.write' },
  changeExpiry: { permission: 'settings.write' },
  changeAmountParts: { permission: 'settings.write' },
  changeStatementMails: { permission: 'settings.write' },
  changeLimits: { permission: 'settings.write', stepUp: true, changesProduction: true },
  listOwnStores: { permission: 'settings.read' },
  createStore: { permission: 'settings.write' },
  changeStore: { permission: 'settings.write' },
  setStoreAccount: { permission: 'payoutDetails.write', stepUp: true },
  listSecrets: { permission: 'secrets.read' },
  createSecret: { permission: 'secrets.write', stepUp: true },
  changeSecret: { permission: 'secrets.write' },
  revokeSecret: { permission: 'secrets.write' },
  listDeliveries: { permission: 'webhooks.read' },
  getDelivery: { permission: 'webhooks.read' },
  listWebhookHealth: { permission: 'webhooks.read' },
  getMissedEvents: { permission: 'webhooks.read' },
  setEndpointStatus: { permission: 'webhooks.write' },
  listSigningSecrets: { permission: 'webhooks.read' },
  rotateSigning: { permission: 'webhooks.write', stepUp: true },
  stageSigning: { permission: 'webhooks.write', stepUp: true },
  promoteSigning: { permission: 'webhooks.write', stepUp: true },
  listRequests: { permission: 'developer.read' },
  listEvents: { permission: 'developer.read' },
} as const satisfies { readonly [Operation in keyof typeof dashboard]?: Requirement };

const requirements: Readonly<Record<string, Requirement>> = {
  ...merchantOperations,
  ...memberOperations,
};

/** What an operation requires of a member; null: no member may call it. */
export const requirementOf = (operationId: string): Requirement | null =>
  Object.hasOwn(requirements, operationId) ? (requirements[operationId] ?? null) : null;

/** The operations that members may call, with what each requires. */
export const memberRequirements = (): readonly (readonly [string, Requirement])[] =>
  Object.entries(requirements);

/** Operators' operations that need a sign-in a short while ago. */
const operatorStepUps: readonly string[] = [
  'admitToProduction',
  'createMerchantSecret',
  'deletePerson',
  'enterRefundAccount',
  'matchCredit',
  'recordPaymentOutcome',
  'setPayoutSettings',
] satisfies readonly (keyof typeof contract)[];

export const operatorStepsUp = (operationId: string): boolean =>
  operatorStepUps.includes(operationId);

export const isPermitted = (role: Role, permission: Permission): boolean =>
  permissionsOf[role].includes(permission);
