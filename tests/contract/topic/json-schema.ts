/** The part of JSON Schema that the contract of the topic uses. */
export interface JsonSchema {
  $schema?: string;
  $id?: string;
  title?: string;
  description?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean;
  examples?: unknown[];
}

/** Keywords that say nothing about which values are allowed. */
export const ANNOTATIONS = ['$schema', '$id', 'title', 'description', 'examples'] as const;
