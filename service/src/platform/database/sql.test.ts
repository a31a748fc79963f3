import { describe, expect, test } from 'vitest';
import { sql } from './sql.ts';
import { statement } from './statement.ts';

const ofTenant = sql('merchantId')`merchant_id = :merchantId`;

describe('a fragment', () => {
  test('passes the names of its values to the fragment that includes it', () => {
    const composed = sql('id')`select 1 from ${'store'} where ${ofTenant} and id = :id::uuid`;
    expect(composed.sql).toBe(
      'select 1 from store where merchant_id = :merchantId and id = :id::uuid',
    );
    expect([...composed.values].sort()).toEqual(['id', 'merchantId']);
  });

  test('rejects a value that it does not declare, also from an included text', () => {
    expect(() => sql('merchantId')`where merchant_id = :merchntId`).toThrow(
      ':merchntId not declared',
    );
    expect(() => sql()`where ${'merchant_id = :merchantId'}`).toThrow(':merchantId not declared');
  });

  test('rejects a declared value that it does not use', () => {
    expect(() => sql('merchantId', 'id')`where ${'true'} and id = :id`).toThrow(
      ':merchantId not mentioned',
    );
  });

  test('rejects being part of a plain template, which would lose its values', () => {
    expect(() => `where ${ofTenant}`).toThrow('compose a fragment with sql');
  });

  test('leaves casts and times of day alone', () => {
    expect(sql()`select '12:30'::time, 'HH24:MI'`.values).toEqual([]);
  });
});

describe('a statement', () => {
  test('numbers its values once, in the order of first mention', () => {
    const made = statement<{ merchantId: string; id: string }, never>(
      'test_numbered',
      sql('id')`select :id where ${ofTenant} and id = :id`,
    );
    expect(made.text).toBe('select $1 where merchant_id = $2 and id = $1');
    expect(made.valueNames).toEqual(['id', 'merchantId']);
  });

  test('needs a value of each name that a fragment brings', () => {
    // @ts-expect-error merchantId is missing from the values
    statement<{ id: string }, never>('test_needs_values', sql('id')`${ofTenant} and id = :id`);
  });

  test('has a unique name', () => {
    statement<object, never>('test_own_name', sql()`select 1`);
    expect(() => statement<object, never>('test_own_name', sql()`select 2`)).toThrow(
      'two statements have the name test_own_name',
    );
  });
});
