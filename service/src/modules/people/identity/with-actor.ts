import { AsyncLocalStorage } from 'node:async_hooks';
import type { NoteActor } from '#platform/http/route.ts';

// The sign-in library stands between the call and the tables, and passes nothing on.
const actors = new AsyncLocalStorage<NoteActor>();

/** While it runs, the first person whose row the sign-in library reads is noted as the actor. */
export const withActor = <Answer>(note: NoteActor, run: () => Promise<Answer>): Promise<Answer> =>
  actors.run(note, run);

export const noteActor: NoteActor = async (personId) => {
  await actors.getStore()?.(personId);
};
