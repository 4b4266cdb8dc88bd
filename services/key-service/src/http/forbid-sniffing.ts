export { forbidSniffing } from '@cellarman/http-api';
