import { caseStatuses, creditStatuses, type WorkKind, workKinds } from '@florin/contract';
import type { Environment } from '../call/tenant.ts';
import { readSearch } from './read-search.ts';

type Search = Readonly<Record<string, unknown>>;
type Paged = { readonly page?: number | undefined };

const environments = ['sandbox', 'production'] as const satisfies readonly Environment[];
const merchantStatuses = ['ACTIVE', 'SUSPENDED'] as const;
const queues = ['messages', 'credits'] as const;

type MerchantFilters = Paged & {
  /** Left out: all. */
  readonly status?: (typeof merchantStatuses)[number] | undefined;
};

const readMerchants = (search: Search): MerchantFilters => ({
  page: readSearch.page(search),
  status: readSearch.choice(search, 'status', merchantStatuses),
});

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

export type JobFilters = Paged & { readonly kind?: WorkKind | undefined };

const readJobs = (search: Search): JobFilters => ({
  page: readSearch.page(search),
  kind: readSearch.choice(search, 'kind', workKinds),
});

export type OperatorAuditFilters = Paged & {
  readonly merchantId?: string | undefined;
  readonly actorId?: string | undefined;
};

const readAudits = (search: Search): OperatorAuditFilters => ({
  page: readSearch.page(search),
  merchantId: readSearch.text(search, 'merchantId'),
  actorId: readSearch.text(search, 'actorId'),
});

/** What of its address each page of the operator reads. */
export const operatorFilters = {
  merchants: readMerchants,
  merchant: readEnvironment,
  banks: readEnvironment,
  cases: readCases,
  queues: readQueues,
  jobs: readJobs,
  mails: readMerchants,
  audit: readAudits,
};
