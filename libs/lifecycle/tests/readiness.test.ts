import { describe, expect, it, vi } from 'vitest';
import { createReadiness } from '../src/index.ts';

describe('readiness', () => {
  it('waits for every part that was announced', () => {
    const readiness = createReadiness({ parts: ['kafka', 'keys'] });
    readiness.set('kafka', true);

    expect(readiness.isReady()).toBe(false);
    expect(readiness.report()).toEqual({
      ready: false,
      parts: { kafka: { ready: true }, keys: { ready: false, reason: 'starting' } },
    });

    readiness.set('keys', true);
    expect(readiness.isReady()).toBe(true);
  });

  it('says why a part is not ready and forgets the reason when it is', () => {
    const readiness = createReadiness();
    readiness.set('kafka', false, 'no leader for partition 3');
    expect(readiness.report().parts['kafka']).toEqual({ ready: false, reason: 'no leader for partition 3' });

    readiness.set('kafka', true, 'left over');
    expect(readiness.report()).toEqual({ ready: true, parts: { kafka: { ready: true } } });
  });

  it('reports a change once', () => {
    const onChange = vi.fn();
    const readiness = createReadiness({ onChange });
    readiness.set('kafka', false, 'away');
    readiness.set('kafka', false, 'away');
    readiness.set('kafka', true);
    readiness.set('kafka', true);

    expect(onChange.mock.calls).toEqual([
      ['kafka', { ready: false, reason: 'away' }],
      ['kafka', { ready: true }],
    ]);
  });
});
