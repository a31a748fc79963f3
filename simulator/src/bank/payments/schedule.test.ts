import { describe, expect, test } from 'vitest';
import { magicLogins, magicOf } from '../magic-logins.ts';
import { currentStep, payerEntries, type Schedule, stepsReached } from './schedule.ts';

const schedule: Schedule = [
  { status: 'RCVD', afterMs: 0 },
  { status: 'ACSP', afterMs: 300 },
  { status: 'RJCT', afterMs: 2000 },
];
const at = (ageMs: number) => ({ acceptedAt: 5_000, now: 5_000 + ageMs });

describe('the status of a payment', () => {
  test('follows from its age alone', () => {
    expect(currentStep(schedule, at(0)).status).toBe('RCVD');
    expect(currentStep(schedule, at(299)).status).toBe('RCVD');
    expect(currentStep(schedule, at(300))).toMatchObject({ status: 'ACSP', at: 5_300 });
    expect(currentStep(schedule, at(99_999)).status).toBe('RJCT');
  });

  test('a clock that runs backwards leaves it at its first step', () => {
    expect(stepsReached(schedule, at(-10)).map((step) => step.status)).toEqual(['RCVD']);
  });
});

describe('the ledger entries of a payment', () => {
  test('debit at settlement, return at a later rejection', () => {
    expect(payerEntries(schedule)).toEqual([
      { direction: 'DBIT', kind: 'payment', afterMs: 300, pendingMs: 2_000 },
      { direction: 'CRDT', kind: 'return', afterMs: 2_000, pendingMs: 0 },
    ]);
  });

  test('a payment that never settles moves no money', () => {
    expect(payerEntries(magicOf('insufficient-funds').schedule)).toEqual([]);
    expect(payerEntries(magicOf('stuck').schedule)).toEqual([]);
  });
});

test('every magic login has a unique name and a schedule that only moves forward', () => {
  expect(new Set(magicLogins.map((entry) => entry.name)).size).toBe(magicLogins.length);
  for (const { name, schedule: steps } of magicLogins) {
    const times = steps.map((step) => step.afterMs);
    expect(times, name).toEqual([...times].sort((left, right) => left - right));
    expect(times[0], name).toBe(0);
  }
});

test('an unknown name behaves like approve', () => {
  expect(magicOf('someone else').name).toBe('approve');
  expect(magicOf(' Decline ').name).toBe('decline');
});
