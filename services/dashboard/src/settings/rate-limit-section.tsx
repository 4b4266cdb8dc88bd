import { useState } from 'react';
import {
  chosenRateLimit,
  rateLimitChoice,
  RateLimitFields,
  SERVICE_DEFAULT,
} from '../display/rate-limit-fields.tsx';
import { SettingForm } from './setting-form.tsx';
import type { SettingProps } from './setting-props.ts';

export function RateLimitSection(props: SettingProps) {
  const before = props.cellar.rateLimit;
  const [choice, setChoice] = useState(() => rateLimitChoice(before));
  const rateLimit = chosenRateLimit(choice);
  return (
    <SettingForm
      {...props}
      title="Rate limit"
      about="For all keys of this cellar together. It also caps keys with a higher rate limit of their own."
      name="Rate limit"
      change={{ rateLimit }}
      disabled={JSON.stringify(rateLimit) === JSON.stringify(before)}
    >
      <RateLimitFields
        label="Rate limit"
        same={`None (each key has the ${SERVICE_DEFAULT.toLowerCase()})`}
        value={choice}
        onChange={setChoice}
      />
    </SettingForm>
  );
}
