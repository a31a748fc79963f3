import { createHash } from 'node:crypto';
import { type Operation, operation } from '@florin/contract';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { sql } from '../database/sql.ts';
import { statement } from '../database/statement.ts';
import { checkCardNumberMember } from './card-number.ts';
import { route } from './route.ts';

const card = '4242 4242 4242 4242';

const described = (changes: object): Operation =>
  operation({
    id: 'drive',
    route: 'POST /drive',
    access: 'sandboxSecret',
    summary: 'A driver.',
    rules: ['WIRE-1'],
    idempotent: true,
    body: Type.Object({ cardNumber: Type.Optional(Type.String()), note: Type.Any() }),
    reply: Type.Object({ done: Type.Boolean() }),
    failsWith: ['badRequest'],
    ...changes,
  });

const taken: unknown[] = [];
const driver = described({ cardNumberIn: 'cardNumber' });
let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    routes: () => [
      route(driver, async ({ body }) => {
        taken.push(body);
        return { done: true };
      }),
    ],
  });
});
afterAll(() => service.close());

const drive = (body: unknown, headers: Record<string, string> = {}, query = '') =>
  service.request('POST', `/drive${query}`, { body, headers });

describe('a card number', () => {
  it.each<[string, string, unknown]>([
    ['a text', 'note', { note: `pay with ${card}` }],
    ['a number', 'note', { note: Number(card.replaceAll(' ', '')) }],
    ['a member of a member', 'note.one.1.two', { note: { one: [0, { two: card }] } }],
    ['the name of a member', 'note.****4242', { note: { [card]: true } }],
    ['a member that is not read', 'more', { note: '', more: card }],
    ['the wrong member', 'note.cardNumber', { note: { cardNumber: card } }],
  ])('in %s is refused by its name, and not repeated', async (_, field, body) => {
    const { status, body: refused } = await drive(body);
    expect(status).toBe(400);
    const message = `${field} looks like a card number; never send one here`;
    expect(refused).toMatchObject({ name: 'BAD_REQUEST', message: `${message}.` });
    expect(refused.errors).toEqual([{ field, message }]);
  });

  it('is rejected in a query and in a path', async () => {
    const inQuery = await drive({ note: '' }, {}, '?q=4242%204242%204242%204242');
    expect(inQuery.body.errors[0].field).toBe('q');
    const inPath = await service.request('GET', `/orders/${card.replaceAll(' ', '%20')}?x=${1}`);
    expect(inPath.status).toBe(404);
    expect(inPath.body.message).toBe('There is no GET /orders/****4242 here.');
  });

  it('is not found in similar text', async () => {
    const note = 'order 5432167890120, EAN 4006381333931, GB29NWBK60161331926819';
    expect((await drive({ note })).status).toBe(200);
    expect(taken.pop()).toEqual({ note });
  });

  it('is found at any depth', async () => {
    const depth = 5_000;
    const text = `${'{"a":'.repeat(depth)}"${card}"${'}'.repeat(depth)}`;
    const { status } = await drive(`{"note":${text}}`);
    expect(status).toBe(400);
  });
});

describe('the driver of the sandbox', () => {
  it('accepts test numbers in one member, without spaces', async () => {
    expect((await drive({ cardNumber: card, note: '' })).status).toBe(200);
    expect(taken.pop()).toEqual({ cardNumber: '4242424242424242', note: '' });
  });

  it('rejects any other number before reading further', async () => {
    const { status, body } = await drive({ cardNumber: '4539578763621486', note: '' });
    expect([status, body.errors]).toEqual([
      400,
      [{ field: 'cardNumber', message: 'cardNumber must be a test card number' }],
    ]);
    expect(taken).toEqual([]);
  });

  it('stores no digest of a number with the key', async () => {
    const headers = { 'idempotency-key': 'one' };
    const reply = async (cardNumber: string) =>
      (await drive({ cardNumber, note: 1 }, headers)).status;
    expect(await reply(card)).toBe(200);
    expect(await reply('4000000000000002')).toBe(409);
    expect((await drive({ cardNumber: card, note: 1 }, headers)).headers).toMatchObject({
      'idempotent-replayed': 'true',
    });
    const [stored] = await service.database.system(
      statement<object, { readonly digest: string }>(
        'test_stored_digest',
        sql()`select encode(body_sha256, 'hex') as digest from idempotency where idempotency_key = 'one'`,
      ),
      {},
    );
    const content = 'POST /drive\n{"cardNumber":"4242","note":1}';
    expect(stored?.digest).toBe(createHash('sha256').update(content).digest('hex'));
  });

  it('finds none in an Idempotency-Key, whatever it looks like', async () => {
    const headers = { 'idempotency-key': card.replaceAll(' ', '') };
    expect((await drive({ note: 2 }, headers)).status).toBe(200);
    const again = await drive({ note: 2 }, headers);
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    const other = await drive({ note: 3 }, headers);
    expect([other.status, other.body.name]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('does not exist in production', () => {
    expect(() => checkCardNumberMember(driver)).not.toThrow();
    const open = described({ cardNumberIn: 'cardNumber', access: 'secret' });
    expect(() => checkCardNumberMember(open)).toThrow(/outside the sandbox/);
  });
});
