import { join } from 'node:path';

export const simulatorFolder = (dataFolder: string): string => join(dataFolder, 'simulator');
