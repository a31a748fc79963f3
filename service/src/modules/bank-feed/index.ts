// Routes

export { memberRoutes } from './member-routes.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { operatorRoutes } from './operator-routes.ts';
export { linkPageRoutes } from './pages/link-page-routes.ts';
export { frameOf } from './pages/link-view.ts';

// Linking accounts

export { type Authorisation, isLinkOver } from './authorisations/authorisation.ts';
export { authorisationLifecycle } from './authorisations/authorisation-lifecycle.ts';
export {
  type BankDataRails,
  bankDataRails,
  type DataRail,
} from './authorisations/bank-data-rails.ts';
export { finishLink } from './authorisations/finish-link.ts';
export { requireAuthorisation } from './authorisations/get-authorisation.ts';
export { linkUrl } from './authorisations/link-url.ts';
export { type LinkTools, startAtBank } from './authorisations/start-at-bank.ts';
export { wayBack } from './authorisations/way-back.ts';

// Reading accounts

export { hurryRefresh } from './reading/hurry-refresh.ts';
export { refreshNow } from './reading/refresh-now.ts';

// Jobs and the sandbox clock

export { endDueAt } from './authorisations/store/due-authorisations.ts';
export { feedDue } from './feed-due.ts';
export { bankFeedJobs } from './jobs.ts';
export { refreshDueAt } from './reading/store/refreshes.ts';
export { removalDueAt } from './reading/store/removals.ts';
export { hurryReading, hurryRemoval, stuckLinks } from './reading/store/stuck-links.ts';

// What a new master key encrypts again

export { encryptedColumns } from './encrypted-columns.ts';
