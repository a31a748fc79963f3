export { exportRoutes } from './export-routes.ts';
export { type Exported, exported, exportRows } from './export-rows.ts';
export { readFormat, readPeriod } from './read-period.ts';
export { writeExport } from './write-export.ts';
