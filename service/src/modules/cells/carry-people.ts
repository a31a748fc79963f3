import { type Cell, listMemberTables, rowsOf } from './store/moves.ts';

type Person = {
  readonly person_id: string;
  readonly email: string;
  readonly email_verified: boolean;
};

const members = `
  select p.person_id, p.email, p.email_verified from person p
  join membership m on m.person_id = p.person_id and m.merchant_id = $1 order by p.person_id`;

/** A person, and how that one signs in. */
const tablesOfPerson = ['person', 'person_credential', 'person_passkey', 'person_two_factor'];

/** Locks them: a person who is deleted meanwhile would leave a membership without a person. */
const membersThere = `
  select person_id, email, email_verified from person where email = any($1)
  order by person_id for key share`;

/** Throws where somebody else may have signed up, here or there, under the address of a member. */
export const knownPeople = async (
  here: Cell,
  there: Cell,
  merchantId: string,
): Promise<readonly (Person & { readonly idThere: string | null })[]> => {
  const people = await rowsOf<Person>(here, members, [merchantId]);
  const emails = people.map(({ email }) => email);
  const known = await rowsOf<Person>(there, membersThere, [emails]);
  // One who came from here before has the same id there.
  const ids = new Set(people.map(({ person_id }) => person_id));
  const unproven = known.find((each) => !each.email_verified && !ids.has(each.person_id));
  if (unproven)
    throw new Error(
      `${unproven.email} has signed up in the other cell without proving that address: let it be ` +
        'proven, or the person be deleted there.',
    );
  const idOf = new Map(known.map(({ email, person_id }) => [email, person_id]));
  const unsure = people.find(
    ({ email, email_verified, person_id }) =>
      !email_verified && (idOf.get(email) ?? person_id) !== person_id,
  );
  if (unsure)
    throw new Error(
      `${unsure.email} is a member here without having proven that address, and may be somebody else in ` +
        'the other cell: let it be proven here, or the member be removed.',
    );
  return people.map((person) => ({ ...person, idThere: idOf.get(person.email) ?? null }));
};

/**
 * Memberships, with the people who are not there yet: they sign in as before. Who is there is a member under
 * the id that he has there, and signs in as he does there. Nobody becomes an operator by it.
 */
export const carryPeople = async (here: Cell, there: Cell, merchantId: string): Promise<void> => {
  const tablesOfMember = await listMemberTables(here);
  for (const { person_id, idThere } of await knownPeople(here, there, merchantId)) {
    const change = { person_id: idThere ?? person_id, is_operator: false };
    for (const table of idThere === null ? tablesOfPerson : [])
      await carry(here, there, table, 'person_id = $1', [person_id], change);
    if (idThere === null && !(await isThere(there, person_id)))
      throw new Error('A member has just signed up in the other cell: run it again.');
    for (const table of tablesOfMember) {
      const which = 'person_id = $1 and merchant_id = $2';
      await carry(here, there, table, which, [person_id, merchantId], change);
    }
  }
};

const isThere = async (there: Cell, personId: string): Promise<boolean> =>
  (await rowsOf(there, 'select from person where person_id = $1', [personId])).length > 0;

const carry = async (
  here: Cell,
  there: Cell,
  table: string,
  which: string,
  values: readonly unknown[],
  change: object,
): Promise<void> => {
  const text = `select coalesce(jsonb_agg(to_jsonb(t) || $${values.length + 1}::jsonb), '[]') as rows
    from ${table} t where ${which}`;
  const [found] = await rowsOf<{ rows: unknown }>(here, text, [...values, JSON.stringify(change)]);
  await there.query(
    `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)
     on conflict do nothing`,
    [JSON.stringify(found?.rows ?? [])],
  );
};
