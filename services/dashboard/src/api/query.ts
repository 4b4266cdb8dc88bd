import createClient from 'openapi-fetch';
import type { paths } from './generated/query.ts';
import { createMarkBackground } from './mark-background.ts';

/** The read API. key-service, or the proxy in front of both, forwards it to the query service. */
export const query = createClient<paths>({ baseUrl: window.location.origin });
query.use(createMarkBackground());
