export { refuseOddRequests } from '@cellarman/http-api';
