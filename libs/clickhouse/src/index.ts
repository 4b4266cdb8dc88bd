export { connectClickHouse } from './connect.ts';
export type { ClickHouse, ClickHouseAccess } from './connect.ts';
export { clickHouseAccess, clickHouseVariables } from './variables.ts';
