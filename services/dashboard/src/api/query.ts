import createClient from 'openapi-fetch';
import type { paths } from './generated/query.ts';
import { createMarkBackground } from './mark-background.ts';

/** Reads readings back. key-service, or what stands before both, passes it on to the query service. */
export const query = createClient<paths>({ baseUrl: window.location.origin });
query.use(createMarkBackground());
