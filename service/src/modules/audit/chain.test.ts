import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { type Act, appendRecord, audited } from './audited.ts';
import { sealHead, showHead, verifyChain } from './chain.ts';

let service: TestService;
/** The owner of the database: what no program of the service may do. */
let admin: pg.Client;
beforeAll(async () => {
  service = await openTestService();
  admin = new pg.Client({ connectionString: service.databaseUrl });
  await admin.connect();
  await admin.query('set search_path = florin');
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

const verify = () => verifyChain(service.tools);

const act: Act = {
  ...{ channel: 'COMMAND', actorKind: 'OPERATOR', actorId: null, actor: 'Zoë\nO’Neil' },
  ...{ address: 'host', action: 'operator test', merchantId: null, environment: null },
  detail: { words: ['ünïcode 𝄞 "quoted" \\ \u2028'] },
};

describe('the chain', () => {
  test('takes records from many connections, one after the other', async () => {
    const before = (await verify()).records;
    const { database, ids } = service.tools;
    // Each with a queue of its own, as programs have.
    const programs = Array.from({ length: 8 }, () => ({ system: database.system }));
    const records = programs.flatMap((program) =>
      Array.from({ length: 25 }, () =>
        appendRecord(program, { ...act, kind: 'ACT', recordId: ids.uuid(), outcome: 'DONE' }),
      ),
    );
    await Promise.all(records);
    expect(await verify()).toMatchObject({ broken: null, records: before + 200 });
  });

  test('holds an act whose program was killed before its outcome', async () => {
    let hasBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      hasBegun = resolve;
    });
    const killed = { ...act, action: 'operator killed' };
    void audited(service.tools, killed, () => {
      hasBegun();
      return new Promise(() => undefined);
    });
    await begun;
    const { rows } = await admin.query(
      `select a.outcome, (select count(*)::int from audit_record o where o.record_id = a.record_id) as n
       from audit_record a where a.action = 'operator killed'`,
    );
    expect(rows).toEqual([{ outcome: null, n: 1 }]);
  });

  test('chooses position, time and hash itself, whatever is inserted', async () => {
    const [recordId, forged] = [service.tools.ids.uuid(), randomBytes(32)];
    await admin.query('begin; set local role florin_system');
    await admin.query(
      `insert into audit_record (position, at, kind, record_id, detail, outcome, previous_hash, hash)
       values (1, '2020-01-01', 'OUTCOME', $1, '{}', 'DONE', $2, $2)`,
      [recordId, forged],
    );
    await admin.query('commit');
    expect((await verify()).broken).toBeNull();
  });

  test.each([
    'update audit_record set action = $$x$$',
    'delete from audit_record',
    'truncate audit_record cascade',
    'delete from audit_seal',
  ])('is append-only for the owner of the tables too: %s', async (text) => {
    await expect(admin.query(text)).rejects.toThrow('append-only');
  });

  test.each(['update audit_head set position = 1', 'delete from audit_head'])(
    'has a head that no program moves: %s',
    async (text) => {
      await admin.query('begin; set local role florin_system');
      await expect(admin.query(text)).rejects.toThrow('permission denied');
      await admin.query('rollback');
    },
  );
});

describe('verifying', () => {
  /** Does what only somebody with all rights can do, looks, and puts everything back. */
  const withPlanted = async (text: string, noted: Parameters<typeof verifyChain>[1] = []) => {
    await admin.query(`
      set session_replication_role = replica;
      create temp table before_record as table audit_record;
      create temp table before_head as table audit_head;
      create temp table before_seal as table audit_seal;`);
    try {
      await admin.query(text);
      return (await verifyChain(service.tools, noted)).broken;
    } finally {
      await admin.query(`
        delete from audit_record; insert into audit_record table before_record;
        delete from audit_head; insert into audit_head table before_head;
        delete from audit_seal; insert into audit_seal table before_seal;
        drop table before_record, before_head, before_seal;
        set session_replication_role = origin;`);
    }
  };
  const rehash = 'hash = sha256(convert_to(audit_text(r), $$UTF8$$))';
  const headPosition = async () => (await verify()).head.position;

  beforeAll(async () => {
    await sealHead(service.tools);
    for (let at = 0; at < 5; at += 1) await audited(service.tools, act, async () => undefined);
    expect((await verify()).broken).toBeNull();
  });

  test.each([
    ['a changed action', "update audit_record set action = 'x' where position = 3", 3, 'changed'],
    ['a changed outcome', "update audit_record set outcome = 'x' where position = 2", 2, 'changed'],
    ['a moved time', "update audit_record set at = at + '1 ms' where position = 3", 3, 'changed'],
    [
      'a changed id',
      'update audit_record set record_id = gen_random_uuid() where position = 4',
      4,
      'changed',
    ],
    [
      'one removed in the middle',
      'delete from audit_record where position = 5',
      6,
      'record 5 is missing',
    ],
    [
      'two swapped',
      `update audit_record set position = 9007 - position where position in (3, 4);
       update audit_record set position = position - 9000 where position > 9000`,
      3,
      'does not follow',
    ],
    [
      'one written again with its own hash',
      `update audit_record set action = 'x' where position = 3;
       update audit_record r set ${rehash} where position = 3`,
      4,
      'does not follow',
    ],
  ])('finds %s', async (_, text, position, reason) => {
    expect(await withPlanted(text)).toEqual({
      ...{ position: BigInt(position), reason: expect.stringContaining(reason) },
    });
  });

  test('finds the newest records removed', async () => {
    const last = (await headPosition()) - 2n;
    const found = await withPlanted(`delete from audit_record where position > ${last}`);
    expect(found).toEqual({ position: last, reason: expect.stringContaining('are missing') });
  });

  const moveHead = `update audit_head set (position, hash) =
    (select position, hash from audit_record order by position desc limit 1)`;

  test('finds them by a seal or by a noted head, when the head was moved with them', async () => {
    const [, hash = ''] = (await showHead(service.tools)).split(' ');
    const head = await headPosition();
    const noted = [{ position: head, hash: Buffer.from(hash, 'hex'), signed: null }];
    const remove = `delete from audit_record where position > 2; ${moveHead}`;
    expect((await withPlanted(remove))?.reason).toContain('are missing');
    const afterSeal = `delete from audit_record where position > ${head - 2n}; ${moveHead}`;
    expect((await withPlanted(afterSeal, noted))?.reason).toContain('are missing');
    // What was not sealed and not noted is gone without a trace.
    expect(await withPlanted(afterSeal)).toBeNull();
  });

  test('finds the whole chain written again by its seal, and a seal that was forged', async () => {
    const rewrite = `update audit_record set action = 'x' where position = 1;
      do $do$ declare r audit_record; before bytea := decode(repeat('00', 32), 'hex'); begin
        for r in select * from audit_record order by position loop
          r.previous_hash := before;
          r.hash := sha256(convert_to(audit_text(r), 'UTF8'));
          update audit_record set previous_hash = r.previous_hash, hash = r.hash
            where position = r.position;
          before := r.hash;
        end loop; end $do$; ${moveHead};`;
    expect((await withPlanted(rewrite))?.reason).toBe('it is not the record that was sealed');
    const forge = `${rewrite} update audit_seal s set hash = r.hash
      from audit_record r where r.position = s.position`;
    expect((await withPlanted(forge))?.reason).toContain('not signed by this installation');
  });

  test('takes a signed head back, and refuses one of somebody else', async () => {
    const [position = '', hash = '', at = '', signature = ''] = (
      await showHead(service.tools)
    ).split(' ');
    const noted = { position: BigInt(position), hash: Buffer.from(hash, 'hex') };
    const signed = { sealedAt: new Date(at), signature: Buffer.from(signature, 'hex') };
    expect((await verifyChain(service.tools, [{ ...noted, signed }])).broken).toBeNull();
    const other = { ...signed, signature: randomBytes(32) };
    const { broken } = await verifyChain(service.tools, [{ ...noted, signed: other }]);
    expect(broken?.reason).toContain('not signed by this installation');
  });
});
