export { type CardAccount, setCardAccount } from './card-account.ts';
export { ownCardEventsPath, sharedCardEventsPath } from './card-events-path.ts';
export { type CardRails, cardRails } from './card-rails.ts';
