import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { findSchemaFaults } from '../test/find-schema-faults.ts';
import { newOrder } from '../test/new-test-client.ts';
import { readConsent, readErrorCode, readFunds, readPayment } from './read-payment-answers.ts';
import { consentBody, paymentBody } from './write-domestic-payment.ts';

const terms = { version: '4.0', readRefundAccount: true, saysContractPresent: true } as const;
const versions = [
  { version: '3.1.11', terms: { ...terms, version: '3.1' } },
  { version: '4.0.1', terms },
] as const;
const id = fc.stringMatching(/^[A-Za-z0-9-]{1,31}$/);

const anyOrder = fc
  .record({
    endToEndId: id,
    instructionId: id,
    amountPence: fc.bigInt({ min: 1n, max: 100_000_000n }).map(pence),
    creditor: fc.record({
      sortCode: fc.stringMatching(/^\d\d-?\d\d-?\d\d$/),
      accountNumber: fc.stringMatching(/^\d{8}$/),
      name: fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }),
    }),
    reference: fc.string({ unit: 'grapheme' }),
    contextCode: fc.oneof(fc.string(), fc.constantFrom('FaceToFacePointOfSale', 'PartyToParty')),
    merchantCategoryCode: fc.oneof(fc.string(), fc.constant('5812')),
    merchantCustomerReference: fc.string({ maxLength: 200, unit: 'grapheme' }),
  })
  .map(newOrder);

test.each(versions)('every consent and payment is valid in version $version', (each) => {
  const { version, terms } = each;
  fc.assert(
    fc.property(anyOrder, (order) => {
      const consent = consentBody(order, terms);
      const payment = paymentBody('consent-1', consent);
      expect(findSchemaFaults('OBWriteDomesticConsent4', JSON.parse(consent), version)).toEqual([]);
      expect(findSchemaFaults('OBWriteDomestic2', JSON.parse(payment), version)).toEqual([]);
      expect(JSON.parse(payment).Data.Initiation).toEqual(JSON.parse(consent).Data.Initiation);
      expect(JSON.parse(payment).Risk).toEqual(JSON.parse(consent).Risk);
      expect(consentBody({ ...order }, terms)).toBe(consent);
    }),
  );
});

test('each version writes the words that only it knows', () => {
  const [three, four] = versions.map(({ terms }) => JSON.parse(consentBody(newOrder(), terms)));
  expect(three.Data.Initiation.RemittanceInformation).toEqual({ Reference: 'ORDER 17' });
  expect(three.Risk).toHaveProperty('ContractPresentInidicator', true);
  expect(four.Risk).toHaveProperty('ContractPresentIndicator', true);
  expect(findSchemaFaults('OBWriteDomesticConsent4', three, '4.0.1')).not.toEqual([]);
  expect(findSchemaFaults('OBWriteDomesticConsent4', four, '3.1.11')).not.toEqual([]);
});

test.each(versions)('a bank of version $version may want fewer words', ({ terms: { version } }) => {
  const less = {
    version,
    readRefundAccount: false,
    saysContractPresent: false,
    referenceLengthMax: 5,
  };
  const body = consentBody(newOrder(), { ...less, contextCode: 'PartyToParty' });
  expect(body).not.toContain('ContractPresent');
  expect(body).toContain('"Reference":"ORDER"');
  expect(JSON.parse(body)).toMatchObject({
    Data: { ReadRefundAccount: 'No' },
    Risk: { PaymentContextCode: 'PartyToParty' },
  });
});

test.each([
  [true, { isAvailable: true, at: new Date('2026-11-01T10:00:00Z') }],
  [false, { isAvailable: false, at: new Date('2026-11-01T10:00:00Z') }],
  ['yes', null],
])('funds %s', (FundsAvailable, read) => {
  const FundsAvailableDateTime = '2026-11-01T10:00:00+00:00';
  const answer = { Data: { FundsAvailableResult: { FundsAvailable, FundsAvailableDateTime } } };
  expect(readFunds(answer)).toEqual(read);
});

test('the schema check rejects a wrong message', () => {
  const consent = JSON.parse(consentBody(newOrder(), terms));
  consent.Data.Initiation.InstructedAmount.Amount = 'ten';
  consent.Data.Extra = 1;
  expect(findSchemaFaults('OBWriteDomesticConsent4', consent)).toHaveLength(2);
});

test('a reference keeps the 18 characters that Faster Payments carries', () => {
  const body = consentBody(newOrder({ reference: 'Ordér №17 “Blue Teapot” 2026' }), terms);
  const { Structured } = JSON.parse(body).Data.Initiation.RemittanceInformation;
  expect(Structured).toEqual([
    { CreditorReferenceInformation: { Reference: 'Order No17 Blue Te' } },
  ]);
});

test('no bank answer crashes the reader', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), hostileAnswer), (answer) => {
      readConsent(answer);
      readPayment(answer);
      readErrorCode(answer);
    }),
  );
});

const anything = fc.oneof(fc.jsonValue(), fc.string(), fc.constant('ACSC'));
const hostileAnswer = fc.record(
  {
    Data: fc.record(
      {
        ConsentId: anything,
        DomesticPaymentId: anything,
        Status: fc.oneof(anything, fc.constantFrom('AUTH', 'RJCT', '__proto__', 'constructor')),
        StatusReason: fc.oneof(anything, fc.array(fc.record({ StatusReasonCode: anything }))),
        StatusUpdateDateTime: anything,
        Initiation: fc.oneof(anything, fc.record({ InstructedAmount: anything })),
        Refund: fc.oneof(anything, fc.record({ Account: anything })),
        Debtor: fc.oneof(anything, fc.record({ Identification: anything, Name: anything })),
      },
      { requiredKeys: [] },
    ),
    Errors: fc.oneof(anything, fc.array(fc.record({ ErrorCode: anything }))),
  },
  { requiredKeys: [] },
);

test.each([
  ['20000055779911', '200000', '55779911'],
  ['20-00-00 55779911', '200000', '55779911'],
  ['GB33BUKB20201555555555', '202015', '55555555'],
])('a payer account %s is read', (identification, sortCode, accountNumber) => {
  const Account = { SchemeName: 'x', Identification: identification, Name: 'A. Payer' };
  const answer = { Data: { DomesticPaymentId: 'p', Status: 'ACSC', Refund: { Account } } };
  const payer = { sortCode, accountNumber, name: 'A. Payer' };
  expect(readPayment(answer)).toMatchObject({ payer, status: { isoCode: 'ACSC' } });
});

test('an unreadable account is none, and the debtor replaces a missing refund account', () => {
  const Debtor = { Identification: '20000055779911' };
  const data = { DomesticPaymentId: 'p', Status: 'AcceptedSettlementCompleted' };
  const pan = { Account: { Identification: '4929000000006', Name: 'x' } };
  expect(readPayment({ Data: { ...data, Refund: pan } })?.payer).toBeNull();
  expect(readPayment({ Data: { ...data, Refund: pan, Debtor } })?.payer).toMatchObject({
    sortCode: '200000',
    name: '',
  });
});

test("a card number in the payer's name is masked to its last four digits", () => {
  const Debtor = { Identification: '20000055779911', Name: 'A. Payer 4000-0000-0000-0127' };
  const data = { DomesticPaymentId: 'p', Status: 'ACSC', Debtor };
  expect(readPayment({ Data: data })?.payer?.name).toBe('A. Payer ****0127');
});

test('equal amounts in different notation are equal', () => {
  const amountOf = (Amount: string) =>
    readConsent({
      Data: {
        ConsentId: 'c',
        Status: 'AWAU',
        Initiation: { InstructedAmount: { Amount, Currency: 'GBP' } },
      },
    })?.amount;
  expect(['12.3', '12.30', '12.30000', '0012.3'].map(amountOf)).toEqual(Array(4).fill('12.30'));
  expect(amountOf('12.301')).toBe('unreadable');
});
