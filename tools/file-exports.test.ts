import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { fileExports } from './file-exports.ts';
import { listSourceFiles } from './list-source-files.ts';
import { notYet } from './not-yet.ts';
import type { SourceFile } from './tidy-rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = 'service/src/modules/payments';
const isAhead = (file: SourceFile) => notYet.fileExports.some((area) => file.path.startsWith(area));

describe('a file exports what its name says', () => {
  let files: readonly SourceFile[];

  beforeAll(async () => {
    files = await listSourceFiles(root);
  });

  test('in each finished folder', () => {
    expect(files.filter((file) => !isAhead(file)).flatMap(fileExports)).toEqual([]);
  });

  test('and the list of unfinished folders names no finished one', () => {
    const finished = notYet.fileExports.filter(
      (area) => !files.some((file) => file.path.startsWith(area) && fileExports(file).length > 0),
    );
    expect(finished).toEqual([]);
  });
});

test.each([
  ['submit-payment.ts', 'export const sendPayment = () => {};', 'exports nothing named'],
  ['submit-payment.ts', 'const submitPayment = 1;\nexport { submitPayment as send };', 'nothing'],
  ['card-pages-routes.ts', 'export const cardPages = () => {};', 'exports nothing named'],
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
  expect(fileExports({ path: `${folder}/${name}`, text })).toEqual([
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
])('%s is allowed: %s', (name, text) => {
  expect(fileExports({ path: `${folder}/${name}`, text })).toEqual([]);
});
