import { buildBundle } from './build-bundle.ts';
import { writeBundle } from './bundle.ts';

// A process of its own: the bundler takes memory that a server would never release.
const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder that the bundle goes to.');
await writeBundle(folder, await buildBundle());
