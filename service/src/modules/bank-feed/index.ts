// Routes

export { linkPageRoutes } from './pages/link-page-routes.ts';
export { frameOf } from './pages/link-view.ts';
export { memberRoutes, merchantRoutes, operatorRoutes } from './routes.ts';

// Linking accounts

export {
  type Authorisation,
  authorisationLifecycle,
  isLinkOver,
} from './authorisations/authorisation.ts';
export { finishLink } from './authorisations/finish-link.ts';
export { linkUrl, requireAuthorisation } from './authorisations/get-authorisation.ts';
export {
  type BankDataRails,
  bankDataRails,
  type DataRail,
} from './authorisations/rail-state.ts';
export { type LinkTools, startAtBank } from './authorisations/start-at-bank.ts';
export { wayBack } from './authorisations/way-back.ts';

// Reading accounts

export { hurryRefresh, refreshNow } from './reading/refresh-authorisation.ts';

// Jobs and the sandbox clock

export { endDueAt } from './authorisations/store/authorisations.ts';
export { bankFeedJobs, feedDue } from './jobs.ts';
export { refreshDueAt } from './reading/store/refreshes.ts';
export { hurryReading, hurryRemoval, removalDueAt, stuckLinks } from './reading/store/removals.ts';

// What a new master key encrypts again

export { encryptedColumns } from './authorisations/rail-state.ts';
