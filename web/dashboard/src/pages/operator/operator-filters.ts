import type { Environment } from '../../call/tenant.ts';
import { readSearch } from '../../parts/filters/read-search.ts';

type Search = Readonly<Record<string, unknown>>;
type Paged = { readonly page?: number | undefined };

const environments = ['sandbox', 'production'] as const satisfies readonly Environment[];
const caseStatuses = ['OPEN', 'RESOLVED'] as const;
const queues = ['messages', 'credits'] as const;

const readMerchants = (search: Search): Paged => ({ page: readSearch.page(search) });

type InEnvironment = { readonly environment?: Environment | undefined };

const readEnvironment = (search: Search): InEnvironment => ({
  environment: readSearch.choice(search, 'environment', environments),
});

export type CaseFilters = Paged & {
  /** Left out: the open ones. */
  readonly status?: 'ALL' | (typeof caseStatuses)[number] | undefined;
};

const readCases = (search: Search): CaseFilters => ({
  page: readSearch.page(search),
  status: readSearch.choice(search, 'status', ['ALL', ...caseStatuses]),
});

export type QueueFilters = Paged & {
  readonly queue?: (typeof queues)[number] | undefined;
  readonly status?: (typeof creditStatuses)[number] | undefined;
};

const readQueues = (search: Search): QueueFilters => ({
  page: readSearch.page(search),
  queue: readSearch.choice(search, 'queue', queues),
  status: readSearch.choice(search, 'status', creditStatuses),
});

type AuditFilters = Paged & { readonly merchantId?: string | undefined };

const readAudits = (search: Search): AuditFilters => ({
  page: readSearch.page(search),
  merchantId: readSearch.text(search, 'merchantId'),
});

/** What of its address each page of the operator reads. */
export const operatorFilters = {
  merchants: readMerchants,
  merchant: readEnvironment,
  banks: readEnvironment,
  cases: readCases,
  queues: readQueues,
  audit: readAudits,
};

export const creditStatuses = ['OPEN', 'MATCHED', 'UNMATCHED', 'TAKEN_BACK'] as const;
