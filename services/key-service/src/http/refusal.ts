export { Refusal } from '@cellarman/http-api';
