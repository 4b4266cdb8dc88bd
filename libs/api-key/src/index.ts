export { generateApiKey, hasApiKeyFormat, hashApiKey } from './api-key.ts';
