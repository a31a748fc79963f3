import { expect, test } from 'vitest';
import { emptyForm, requestOf } from './link-form.ts';

test('a link needs an amount and an order', () => {
  expect(requestOf(emptyForm)).toBeNull();
  expect(requestOf({ ...emptyForm, amount: '12.50' })).toBeNull();
  expect(requestOf({ ...emptyForm, orderId: 'A-1', amount: 'twelve' })).toBeNull();
  expect(requestOf({ ...emptyForm, orderId: 'A-1', amount: '0' })).toBeNull();
});

test('what is left empty is left out, and the order stands for the customer', () => {
  expect(requestOf({ ...emptyForm, amount: '1,234.5', orderId: ' A-1 ' })).toEqual({
    amount: 1234.5,
    orderId: 'A-1',
    customerId: 'A-1',
    expiresIn: 604_800_000,
    enableTips: true,
    splitBill: false,
  });
});

test('what is chosen is requested', () => {
  const form = { ...emptyForm, amount: '9.99', orderId: 'A-1', customerId: 'ada', notes: 'Lunch' };
  const body = requestOf({ ...form, method: 'CARD', life: 'hour', storeId: 's-1', tips: false });
  expect(body).toMatchObject({
    amount: 9.99,
    customerId: 'ada',
    notes: 'Lunch',
    paymentMethod: ['CARD'],
    expiresIn: 3_600_000,
    storeId: 's-1',
    enableTips: false,
  });
});
