export { DEFAULT_FLEET } from './fleet.ts';
export { valuesOf } from './helm-values.ts';
export { scalingPage } from './scaling-page.ts';
export { size } from './size.ts';
