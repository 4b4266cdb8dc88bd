export { gatherQuestions } from './gather-questions.ts';
export type { GatherOptions } from './gather-questions.ts';
