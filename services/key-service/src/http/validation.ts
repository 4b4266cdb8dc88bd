export { validateStrictly } from '@cellarman/http-api';
