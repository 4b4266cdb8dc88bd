export {
  deriveApiKey,
  generateApiKey,
  generateClaimCode,
  hasApiKeyFormat,
  hasClaimCodeFormat,
  hashApiKey,
} from './api-key.ts';
