export { simulatorControl } from '../simulator-control.ts';
