export { simulatedPayer } from './visit-bank.ts';
