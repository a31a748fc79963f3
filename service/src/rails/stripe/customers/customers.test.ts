import { describe, expect, it } from 'vitest';
import { broken, refused } from '../test/bodies.ts';
import { useScriptedRail } from '../test/scripted-rail.ts';

const world = useScriptedRail();
const create = 'POST customers';
const detach = 'POST payment_methods/:id/detach';
const read = 'GET payment_methods/:id';
const order = { customerId: 'customer-1', name: 'Ada Payer', email: 'ada@example.com' };
const made = { body: { id: 'cus_1', object: 'customer' } };

describe('a customer at the processor', () => {
  it('is made under our id', async () => {
    world.processor.script(create, made);
    const outcome = await world.rail.createCustomer(order);
    expect(outcome).toEqual({ kind: 'CREATED', customerReference: 'cus_1' });
    expect(world.processor.requests[0]?.headers['idempotency-key']).toBe('customer-1:customer');
  });

  it.each([
    ['a failure is played back', broken(true)],
    ['the name has changed since', refused(400, 'idempotency', 'idempotency_error')],
  ])('is made under another key where %s', async (_, answer) => {
    world.processor.script(create, answer, made);
    expect((await world.rail.createCustomer(order)).kind).toBe('CREATED');
  });

  it('is UNKNOWN without an answer and REFUSED where the processor says no', async () => {
    world.processor.script(create, { hangUp: true }, refused(400, 'email_invalid'));
    expect((await world.rail.createCustomer(order)).kind).toBe('UNKNOWN');
    expect((await world.rail.createCustomer(order)).kind).toBe('REFUSED');
  });
});

describe('an account', () => {
  const asked = 'GET account';

  it('names itself, also after its key was replaced', async () => {
    world.processor.script(asked, { body: { id: 'acct_1', object: 'account' } });
    expect(await world.rail.readAccount()).toEqual({ kind: 'ACCOUNT', accountKey: 'acct_1' });
  });

  it('is REFUSED where the key is, and UNKNOWN without an answer', async () => {
    world.processor.script(asked, refused(401, 'api_key_expired'), { hangUp: true });
    expect((await world.rail.readAccount()).kind).toBe('REFUSED');
    expect((await world.rail.readAccount()).kind).toBe('UNKNOWN');
  });
});

describe('letting go of a card', () => {
  const card = (customer: string | null) => ({ body: { id: 'pm_1', customer } });

  it('is done when the processor says so, or when it hangs on nobody', async () => {
    world.processor.script(detach, card(null));
    expect((await world.rail.detachCard('pm_1')).kind).toBe('DETACHED');
    world.processor.script(detach, refused(400, 'not_attached'));
    world.processor.script(read, card(null));
    expect((await world.rail.detachCard('pm_1')).kind).toBe('DETACHED');
    expect((await world.rail.detachCard('pm_1')).kind).toBe('DETACHED');
  });

  it('is REFUSED while it hangs on a customer, and UNKNOWN without an answer', async () => {
    world.processor.script(detach, refused(400, 'busy'), { hangUp: true });
    world.processor.script(read, card('cus_1'));
    expect((await world.rail.detachCard('pm_1')).kind).toBe('REFUSED');
    expect((await world.rail.detachCard('pm_1')).kind).toBe('UNKNOWN');
  });
});

describe('deleting a customer', () => {
  const remove = 'DELETE customers/:id';
  const deleted = async () => (await world.rail.deleteCustomer('cus_1')).kind;

  it('is done when the processor says so, or knows nobody of that id any more', async () => {
    world.processor.script(
      remove,
      { body: { id: 'cus_1', object: 'customer', deleted: true } },
      refused(404, 'resource_missing'),
    );
    expect([await deleted(), await deleted()]).toEqual(['DELETED', 'DELETED']);
  });

  it('is REFUSED where the processor says no, and UNKNOWN without an answer', async () => {
    world.processor.script(remove, refused(400, 'busy'), { hangUp: true });
    expect([await deleted(), await deleted()]).toEqual(['REFUSED', 'UNKNOWN']);
  });
});

describe('a dispute', () => {
  it.each([
    ['needs_response', 'OPEN'],
    ['under_review', 'OPEN'],
    ['won', 'WON'],
    ['lost', 'LOST'],
  ])('that is %s is %s', async (word, status) => {
    const body = {
      id: 'dp_1',
      status: word,
      amount: 1250,
      payment_intent: { id: 'pi_1', metadata: { attemptId: 'attempt-1' } },
      reason: 'general',
    };
    world.processor.script('GET disputes/:id', { body });
    expect(await world.rail.readDispute('dp_1')).toEqual({
      kind: 'DISPUTE',
      status,
      amountPence: 1250n,
      paymentReference: 'pi_1',
      attemptId: 'attempt-1',
      reason: 'general',
    });
  });

  it('is UNKNOWN where it is not shown', async () => {
    expect((await world.rail.readDispute('dp_1')).kind).toBe('UNKNOWN');
  });
});
