import { constants, setPriority } from 'node:os';
import { register } from 'tsx/esm/api';
import { installPackages } from './install-packages.mjs';

// A server on this machine answers meanwhile.
setPriority(constants.priority.PRIORITY_LOW);
await installPackages('dashboard');
register();
await import('../web/dashboard/bundle/make-bundle.ts');
