export { createErrorHandler, errorAnswers } from '@cellarman/http-api';
