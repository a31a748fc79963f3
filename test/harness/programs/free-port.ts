export { freePort } from '../../../service/src/programs/start/start-simulator.ts';
