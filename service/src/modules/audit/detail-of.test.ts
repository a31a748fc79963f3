import {
  createCustomer,
  enterRefundAccount,
  type Operation,
  requestRefund,
  setMerchantSwitches,
} from '@florin/contract';
import { changeRole, createSecret, inviteMember } from '@florin/contract/dashboard/index.ts';
import { expect, test } from 'vitest';
import { detailOf, idsOf } from './audited.ts';

const id = '0b5f2b46-5f3c-4a39-9d0e-6c1f2d3e4a5b';

test.each<[string, Operation, unknown, unknown, object]>([
  ['a role', changeRole, { personId: id }, { role: 'cashier' }, { personId: id, role: 'cashier' }],
  [
    'no address of a person',
    inviteMember,
    {},
    { email: 'a@example.com', role: 'owner' },
    { role: 'owner' },
  ],
  ['no name, no address', createSecret, {}, { name: 'Till', redirectUrl: 'https://a.example' }, {}],
  ['no data of a payer', createCustomer, {}, { firstName: 'Ada', email: 'a@example.com' }, {}],
  ['no account', enterRefundAccount, {}, { sortCode: '107999', accountNumber: '88837491' }, {}],
  ['switches', setMerchantSwitches, {}, { cardsEnabled: true }, { cardsEnabled: true }],
  ['an amount, not the note', requestRefund, {}, { amount: 5, notes: 'Late' }, { amount: 5 }],
  ['no word that is not of the list', changeRole, {}, { role: '<script>' }, {}],
  ['nothing that the contract does not name', changeRole, { toString: id }, { amount: 5 }, {}],
  ['nothing of what is no object', changeRole, null, 'role', {}],
])('of an input it records %s', (_, operation, params, body, expected) => {
  expect(detailOf(operation, { params, body })).toEqual(expected);
});

test.each([
  [{ inviteId: id, path: '/dashboard/invites#secret' }, { inviteId: id }],
  [{ secretId: id, secret: 'florin_sandbox_x' }, { secretId: id }],
  [{ orderId: 'Ada Lovelace' }, {}],
  [null, {}],
])('of an answer it records ids', (answer, expected) => {
  expect(idsOf(answer)).toEqual(expected);
});
