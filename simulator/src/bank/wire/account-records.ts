import type { Account, JsonObject } from '../model.ts';
import { answer, openAccount, openAccounts } from './account-operations.ts';
import type { Call, Operation, Route } from './call.ts';

// What a customer of these banks has of a kind: nothing, but for the holder of an account.
type Kind = {
  readonly segment: string;
  readonly member: string;
  readonly permissions: readonly string[];
};

const kinds: readonly Kind[] = [
  {
    segment: 'beneficiaries',
    member: 'Beneficiary',
    permissions: ['ReadBeneficiariesBasic', 'ReadBeneficiariesDetail'],
  },
  { segment: 'direct-debits', member: 'DirectDebit', permissions: ['ReadDirectDebits'] },
  { segment: 'offers', member: 'Offer', permissions: ['ReadOffers'] },
  {
    segment: 'scheduled-payments',
    member: 'ScheduledPayment',
    permissions: ['ReadScheduledPaymentsBasic', 'ReadScheduledPaymentsDetail'],
  },
  {
    segment: 'standing-orders',
    member: 'StandingOrder',
    permissions: ['ReadStandingOrdersBasic', 'ReadStandingOrdersDetail'],
  },
  {
    segment: 'statements',
    member: 'Statement',
    permissions: ['ReadStatementsBasic', 'ReadStatementsDetail'],
  },
];

const none =
  ({ segment, member, permissions }: Kind): Operation =>
  async (call) => {
    const { account } = await openAccount(call, permissions);
    return answer(call, { [member]: [] }, `/accounts/${account.id}/${segment}`);
  };

const noneOfAll =
  ({ segment, member, permissions }: Kind): Operation =>
  async (call) => {
    await openAccounts(call, permissions);
    return answer(call, { [member]: [] }, `/${segment}`);
  };

const partyOf = ({ id, holderName }: Pick<Account, 'id' | 'holderName'>): JsonObject => ({
  PartyId: `party-${id}`.slice(0, 40),
  Name: holderName,
});

const getParty: Operation = async (call) => {
  const { account } = await openAccount(call, ['ReadParty']);
  return answer(call, { Party: partyOf(account) }, `/accounts/${account.id}/party`);
};

const getParties: Operation = async (call) => {
  const { account } = await openAccount(call, ['ReadParty']);
  return answer(call, { Party: [partyOf(account)] }, `/accounts/${account.id}/parties`);
};

// Who has logged in: the holder of the accounts. The official suite reads it with the other permission.
const getOwnParty: Operation = async (call: Call) => {
  const { accounts } = await openAccounts(call, ['ReadPartyPSU', 'ReadParty']);
  const [first] = accounts;
  return answer(call, first ? { Party: partyOf(first) } : {}, '/party');
};

export const recordRoutes: readonly Route[] = [
  ...kinds.flatMap((kind) => [
    {
      path: new RegExp(`^/+accounts/+([^/]+)/+${kind.segment}/*$`),
      methods: { GET: none(kind) },
    },
    { path: new RegExp(`^/+${kind.segment}$`), methods: { GET: noneOfAll(kind) } },
  ]),
  { path: /^\/+accounts\/+([^/]+)\/+party$/, methods: { GET: getParty } },
  { path: /^\/+accounts\/+([^/]+)\/+parties$/, methods: { GET: getParties } },
  { path: /^\/+party$/, methods: { GET: getOwnParty } },
];
