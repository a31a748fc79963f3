import type { BankStore, KeyClaim } from '../ports.ts';
import { Refusal } from '../refusal.ts';

// The resource of an earlier request with this key, if its body was the same.
export const answerForKey = async (
  store: BankStore,
  claim: KeyClaim,
): Promise<string | undefined> => {
  const holder = await store.holderOfKey(claim);
  if (!holder) return undefined;
  if (holder.bodyHash === claim.bodyHash) return holder.resourceId;
  const message = 'This x-idempotency-key was used with another body.';
  throw new Refusal(422, [{ code: 'U029', message, path: 'x-idempotency-key' }]);
};
