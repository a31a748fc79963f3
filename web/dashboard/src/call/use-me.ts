import type { ReplyOf } from '@florin/contract';
import { getMe, type Permission } from '@florin/contract/dashboard/index.ts';
import { useOperation, useTenant } from './use-operation.ts';

export type Me = ReplyOf<typeof getMe>;
export type Membership = Me['memberships'][number];

/** Who is signed in, and what they may do where. */
export const useMe = () => useOperation(getMe);

/** At the merchant of the page in view; null while it loads, and for strangers. */
export const useMembership = (): Membership | null => {
  const tenant = useTenant();
  const { data } = useMe();
  return data?.memberships.find(({ merchantId }) => merchantId === tenant?.merchantId) ?? null;
};

/** Whether to offer an act. The server checks the call in any case. */
export const useMay = (permission: Permission): boolean =>
  useMembership()?.permissions.includes(permission) ?? false;
