import { type Exchanged, findMessageFaults } from './find-message-faults.ts';

/** Each change makes a good consent and its answer a bad one: the names of those that pass. */
export const findMissedPlants = (good: Exchanged | undefined): readonly string[] => {
  if (!good?.answer || findMessageFaults(good).length > 0) return ['the message is not good'];
  return Object.entries(plants(good, good.answer)).flatMap(([name, bad]) =>
    findMessageFaults(bad).length > 0 ? [] : [name],
  );
};

type Answer = NonNullable<Exchanged['answer']>;

const plants = (good: Exchanged, answer: Answer): Readonly<Record<string, Exchanged>> => ({
  'an address': { ...good, url: new URL(`${good.url.href}/more`) },
  'a method': { ...good, method: 'PATCH' },
  'a header that is missing': { ...good, headers: without(good.headers, 'authorization') },
  'a header of another form': { ...good, headers: changed(good.headers, 'x-fapi-auth-date', 'x') },
  'a type of content': { ...good, headers: changed(good.headers, 'content-type', 'text/plain') },
  'a member that is missing': { ...good, body: good.body.replace('"Risk"', '"Rest"') },
  'a status': { ...good, answer: { ...answer, status: 202 } },
  'a body where none belongs': { ...good, answer: { ...answer, status: 401 } },
  'a header of the answer': {
    ...good,
    answer: { ...answer, headers: without(answer.headers, 'x-fapi-interaction-id') },
  },
  'a member of the answer': {
    ...good,
    answer: { ...answer, body: answer.body.replace('"ConsentId"', '"ConsentID"') },
  },
  'a value of the answer': {
    ...good,
    answer: { ...answer, body: answer.body.replace('"12.34"', '12.34') },
  },
});

const without = (headers: Headers, name: string): Headers => {
  const rest = new Headers(headers);
  rest.delete(name);
  return rest;
};

const changed = (headers: Headers, name: string, value: string): Headers => {
  const other = new Headers(headers);
  other.set(name, value);
  return other;
};
