import type { Operation } from '@florin/contract';
import type { Tenant } from './tenant.ts';

/** What of an operation decides its address. The server's schemas are not in the browser. */
export type Addressed = Pick<Operation, 'method' | 'path'> & { readonly access: string };

type Values = Readonly<Record<string, unknown>>;

/** Where a person calls an operation: below the merchant, as operator, or at its own path. */
export const addressOf = (
  { path, access }: Addressed,
  tenant: Tenant | null,
  { params = {}, query = {} }: { readonly params?: Values; readonly query?: Values },
): string => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new Error(`${path} needs ${name}`);
    return encodeURIComponent(String(value));
  });
  return `${prefixOf(access, tenant)}${filled}${queryText(query)}`;
};

// Operations of a person without a merchant, and of visitors: their path is the whole address.
const ownPath: readonly string[] = ['person', 'visitor', 'open'];

const prefixOf = (access: string, tenant: Tenant | null): string => {
  if (ownPath.includes(access)) return '';
  if (access === 'operator') return '/dashboard/api/operator';
  if (!tenant) throw new Error('This page belongs to no merchant.');
  return `/dashboard/api/merchants/${encodeURIComponent(tenant.merchantId)}/${tenant.environment}`;
};

const queryText = (query: Values): string => {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value];
    for (const each of values) {
      if (each !== undefined && each !== null && each !== '') text.append(name, String(each));
    }
  }
  const written = text.toString();
  return written === '' ? '' : `?${written}`;
};
