import { runAmounts } from './amounts.ts';
import { runBankSearch } from './bank-search.ts';
import { focusHeading, followChanges } from './follow-changes.ts';
import { postFragment } from './fragment.ts';
import { runLeaving } from './leaving.ts';
import { runReceipt } from './receipt.ts';
import { runTimer } from './timer.ts';

postFragment();
focusHeading();
followChanges();
runAmounts();
runBankSearch();
runLeaving();
runReceipt();
runTimer();
