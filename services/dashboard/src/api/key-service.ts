import createClient from 'openapi-fetch';
import type { paths } from './generated/key-service.ts';
import { createMarkBackground } from './mark-background.ts';

/** The management API, on the origin of the page. */
export const keyService = createClient<paths>({ baseUrl: window.location.origin });
keyService.use(createMarkBackground());
