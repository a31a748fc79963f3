export { freePort } from '../../service/src/programs/start-simulator.ts';
