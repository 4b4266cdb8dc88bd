import { expect, test } from 'vitest';
import { javaVersion } from '../src/engines/java.ts';

test.each([
  ['openjdk version "17.0.15" 2025-04-15', 17],
  ['openjdk version "25" 2025-09-16', 25],
  ['java version "1.8.0_392"', 8],
  ['openjdk version "21-ea" 2023-09-19', 21],
])('%s is Java %i', (output, version) => {
  expect(javaVersion(`Picked up JAVA_TOOL_OPTIONS: -Xmx1g\n${output}\n`)).toBe(version);
});

test('what names no version has none', () => {
  expect(
    javaVersion('The operation couldn’t be completed. Unable to locate a Java Runtime.'),
  ).toBeUndefined();
});
