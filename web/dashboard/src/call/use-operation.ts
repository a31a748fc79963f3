import type { Operation, ReplyOf } from '@florin/contract';
import { getMe, type Permission } from '@florin/contract/dashboard/index.ts';
import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type CallFailure, callOperation, type Input } from './call-operation.ts';
import { sessionEnd } from './session.ts';
import { addressOfPage, type Tenant, tenantOfPath } from './tenant.ts';
import { useSignal } from './use-signal.ts';

type Options = {
  readonly enabled?: boolean;
  /** For what changes by itself while it is looked at. */
  readonly refetchEveryMs?: number | false;
};

/**
 * The reply of an operation that reads. While the next page of a list loads, the last one stays; what
 * belongs to another merchant, environment or object does not.
 */
export const useOperation = <const O extends Operation>(
  operation: O,
  input: Input<O> = {},
  { enabled = true, refetchEveryMs = false }: Options = {},
): UseQueryResult<ReplyOf<O>, CallFailure> => {
  const tenant = useTenantOf(operation);
  const isOver = useSignal(sessionEnd);
  return useQuery<ReplyOf<O>, CallFailure>({
    queryKey: [operation.id, tenant, input.params ?? null, input],
    queryFn: ({ signal }) => callOperation(operation, input, { tenant, signal }),
    placeholderData: (last, lastQuery) =>
      hasSameSubject(lastQuery?.queryKey, [operation.id, tenant, input.params ?? null])
        ? last
        : undefined,
    refetchInterval: isOver ? false : refetchEveryMs,
    enabled,
  });
};

const hasSameSubject = (key: readonly unknown[] | undefined, subject: readonly unknown[]) =>
  JSON.stringify(key?.slice(0, subject.length)) === JSON.stringify(subject);

/** Sends an act. The same input carries the same key until it succeeded: a repeat does it once. */
export const useAct = <const O extends Operation>(
  operation: O,
  { changes = [] }: { readonly changes?: readonly Operation[] } = {},
) => {
  const tenant = useTenantOf(operation);
  const client = useQueryClient();
  const sent = useRef({ text: '', key: '' });
  return useMutation<ReplyOf<O>, CallFailure, Input<O>>({
    mutationFn: (input) => {
      const text = JSON.stringify(input);
      if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
      return callOperation(operation, input, { tenant, idempotencyKey: sent.current.key });
    },
    onSuccess: async () => {
      sent.current = { text: '', key: '' };
      await Promise.all(changes.map(({ id }) => client.invalidateQueries({ queryKey: [id] })));
    },
  });
};

/** What a person reads without a merchant is the same on each page. */
const useTenantOf = ({ access }: Operation): Tenant | null => {
  const tenant = useTenant();
  return access === 'person' || access === 'visitor' || access === 'operator' ? null : tenant;
};

/** The merchant and environment of the page in view. */
export const useTenant = (): Tenant | null => tenantOfPath(useLocation().publicHref);

/** Of pages of the merchant in view, for links: `address('payments')`. */
export const useAddress = (): ((path: string) => string) => {
  const tenant = useTenant();
  return (path) => (tenant ? addressOfPage(tenant, path) : '/');
};

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

/** One act at a time: whether it runs, and why the last one failed. */
export const useSending = () => {
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const send = async (act: () => Promise<void>): Promise<void> => {
    setIsPending(true);
    setError(null);
    try {
      await act();
    } catch (failure) {
      setError(failure as Error);
    } finally {
      setIsPending(false);
    }
  };
  return { isPending, error, send, forget: (): void => setError(null) };
};
