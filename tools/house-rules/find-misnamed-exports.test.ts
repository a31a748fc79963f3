import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findMisnamedExports } from './find-misnamed-exports.ts';
import { listSourceFiles } from './list-source-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = 'service/src/modules/payments';

test('every file exports first what its name says', () => {
  expect(listSourceFiles(root).flatMap(findMisnamedExports)).toEqual([]);
});

test.each([
  ['submit-payment.ts', 'export const sendPayment = () => {};', 'exports nothing named'],
  ['submit-payment.ts', 'const submitPayment = 1;\nexport { submitPayment as send };', 'nothing'],
  ['card-pages-routes.ts', 'export const cardPages = () => {};', 'exports nothing named'],
  ['model.ts', 'export const intentOf = () => {};', 'exports nothing named'],
  [
    'submit-payment.ts',
    'export const lease = 1;\nexport const submitPayment = () => {};',
    'exports lease before submitPayment',
  ],
  [
    'payment.ts',
    'export type Creditor = string;\nexport type Payment = { readonly id: string };',
    'exports Creditor before Payment',
  ],
])('%s is refused with: %s', (name, text, says) => {
  expect(findMisnamedExports({ path: `${folder}/${name}`, text })).toEqual([
    expect.objectContaining({ says: expect.stringContaining(says) }),
  ]);
});

test.each([
  ['submit-payment.ts', 'export type Input = {};\nexport const submitPayment = async () => {};'],
  ['payment.ts', 'export type Payment = { readonly id: string };\nexport type Creditor = string;'],
  ['open-api.ts', 'export const openAPI = 1;'],
  ['page-routes.ts', 'export const cardPageRoutes = () => {};'],
  ['card-numbers.ts', 'export const isCardNumber = 1;\nexport const findCardNumbers = 2;'],
  ['index.ts', "export { submitPayment } from './submit-payment.ts';"],
  ['worker.ts', 'await startWorker();'],
  ['model.ts', 'export type Intent = { readonly id: string };\nexport type Refund = string;'],
  ['payment-views.ts', 'export type CheckoutTips = { readonly options: string };'],
  ['refunds.ts', 'export const fee = 1;\nexport const createRefund = operation({});'],
  ['refund-intents.ts', 'export const createRefund: Operation = async (call) => {};'],
  ['bank-steps.ts', 'export const chooseBank = () => {};\nexport const logIn = () => {};'],
])('%s is allowed: %s', (name, text) => {
  expect(findMisnamedExports({ path: `${folder}/${name}`, text })).toEqual([]);
});
