export { simulatedPayer } from '../simulated-payer.ts';
