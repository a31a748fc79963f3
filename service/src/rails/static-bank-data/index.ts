export { staticBankData, staticBankId } from '../static-bank-data.ts';
