import { encryptedColumns } from './authorisations/data-rails.ts';
import { endDueAt } from './authorisations/store/authorisations.ts';
import { feedDue, jobsOfBankFeed } from './jobs.ts';
import { linkPageRoutes } from './pages/link-page-routes.ts';
import { refreshDueAt } from './reading/store/refreshes.ts';
import { removalDueAt } from './reading/store/removals.ts';
import { memberRoutes, merchantRoutes, operatorRoutes } from './routes.ts';

// What the programs mount

export const bankFeedModule = {
  name: 'bank-feed',
  migrations: ['0018_bank_feed.sql'],
  routes: [merchantRoutes, memberRoutes],
  operatorRoutes: [operatorRoutes],
  pages: [linkPageRoutes],
  jobs: [jobsOfBankFeed],
  dueAt: {
    endDueAuthorisations: endDueAt,
    refreshBankAccounts: refreshDueAt,
    removeEndedAuthorisations: removalDueAt,
  },
  dueSource: feedDue,
  encryptedColumns,
};

// The frame of a page

export { frameOf } from './pages/link-view.ts';

// Linking accounts

export {
  type Authorisation,
  authorisationLifecycle,
  isLinkOver,
} from './authorisations/authorisation.ts';
export { type BankDataRails, bankDataRails, type DataRail } from './authorisations/data-rails.ts';
export { finishLink } from './authorisations/finish-link.ts';
export { linkUrl, requireAuthorisation } from './authorisations/get-authorisation.ts';
export { type LinkTools, startAtBank } from './authorisations/start-at-bank.ts';
export { wayBack } from './authorisations/way-back.ts';

// Reading accounts

export { hurryRefresh, refreshNow } from './reading/refresh-authorisation.ts';

// Jobs and the sandbox clock

export { hurryReading, hurryRemoval, stuckLinks } from './reading/store/removals.ts';
export { merchantRoutes } from './routes.ts';
