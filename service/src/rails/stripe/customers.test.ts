import { describe, expect, it } from 'vitest';
import { broken, refused } from './fixtures/bodies.ts';
import { useScriptedRail } from './test/scripted-rail.ts';

const scripted = useScriptedRail();
const create = 'POST customers';
const detach = 'POST payment_methods/:id/detach';
const read = 'GET payment_methods/:id';
const order = { customerId: 'customer-1', name: 'Ada Payer', email: 'ada@example.com' };
const made = { body: { id: 'cus_1', object: 'customer' } };

describe('a customer at the processor', () => {
  it('is created under our id', async () => {
    scripted.processor.script(create, made);
    const outcome = await scripted.rail.createCustomer(order);
    expect(outcome).toEqual({ kind: 'CREATED', customerReference: 'cus_1' });
    expect(scripted.processor.requests[0]?.headers['idempotency-key']).toBe('customer-1:customer');
  });

  it.each([
    ['a failure is played back', broken(true)],
    ['the name has changed since', refused(400, 'idempotency', 'idempotency_error')],
  ])('is created under another key when %s', async (_, answer) => {
    scripted.processor.script(create, answer, made);
    expect((await scripted.rail.createCustomer(order)).kind).toBe('CREATED');
  });

  it('is UNKNOWN without an answer and REFUSED when the processor rejects it', async () => {
    scripted.processor.script(create, { hangUp: true }, refused(400, 'email_invalid'));
    expect((await scripted.rail.createCustomer(order)).kind).toBe('UNKNOWN');
    expect((await scripted.rail.createCustomer(order)).kind).toBe('REFUSED');
  });
});

describe('an account', () => {
  const accountCall = 'GET account';

  it('has an id that stays when its key is replaced', async () => {
    scripted.processor.script(accountCall, { body: { id: 'acct_1', object: 'account' } });
    expect(await scripted.rail.readAccount()).toEqual({ kind: 'ACCOUNT', accountKey: 'acct_1' });
  });

  it('is REFUSED when the key is, and UNKNOWN without an answer', async () => {
    scripted.processor.script(accountCall, refused(401, 'api_key_expired'), { hangUp: true });
    expect(await scripted.rail.readAccount()).toMatchObject({
      kind: 'REFUSED',
      description: expect.stringContaining('the key is wrong or too restricted'),
    });
    expect((await scripted.rail.readAccount()).kind).toBe('UNKNOWN');
  });
});

describe('detaching a card', () => {
  const card = (customer: string | null) => ({ body: { id: 'pm_1', customer } });

  it('succeeds when the processor confirms, or the card has no customer', async () => {
    scripted.processor.script(detach, card(null));
    expect((await scripted.rail.detachCard('pm_1')).kind).toBe('DETACHED');
    scripted.processor.script(detach, refused(400, 'not_attached'));
    scripted.processor.script(read, card(null));
    expect((await scripted.rail.detachCard('pm_1')).kind).toBe('DETACHED');
    expect((await scripted.rail.detachCard('pm_1')).kind).toBe('DETACHED');
  });

  it('is REFUSED while the card belongs to a customer, and UNKNOWN without an answer', async () => {
    scripted.processor.script(detach, refused(400, 'busy'), { hangUp: true });
    scripted.processor.script(read, card('cus_1'));
    expect((await scripted.rail.detachCard('pm_1')).kind).toBe('REFUSED');
    expect((await scripted.rail.detachCard('pm_1')).kind).toBe('UNKNOWN');
  });
});

describe('deleting a customer', () => {
  const remove = 'DELETE customers/:id';
  const deleted = async () => (await scripted.rail.deleteCustomer('cus_1')).kind;

  it('succeeds when the processor confirms, or the customer no longer exists', async () => {
    scripted.processor.script(
      remove,
      { body: { id: 'cus_1', object: 'customer', deleted: true } },
      refused(404, 'resource_missing'),
    );
    expect([await deleted(), await deleted()]).toEqual(['DELETED', 'DELETED']);
  });

  it('is REFUSED when the processor rejects it, and UNKNOWN without an answer', async () => {
    scripted.processor.script(remove, refused(400, 'busy'), { hangUp: true });
    expect([await deleted(), await deleted()]).toEqual(['REFUSED', 'UNKNOWN']);
  });
});
