export { simulatedWorld } from './simulated-world.ts';
