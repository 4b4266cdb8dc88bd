export { refuseProxying, serverOptions } from '@cellarman/http-api';
