export { type Exported, exported, exportRows } from './export-rows.ts';
export { exportRoutes, readFormat, readPeriod, writeExport } from './write-export.ts';
