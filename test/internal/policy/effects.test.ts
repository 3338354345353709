// What is known of programs.
import { expect, test } from 'vitest'
import { effectsOf } from '../../../internal/policy/effects.ts'
import { analyze } from '../../../internal/policy/shell/analyze.ts'
import { classify } from '../../../internal/policy/shell/classes.ts'

test.each([
  ['cat x', 'read', false, false],
  ['/bin/cat x', 'read', false, false],
  ['cp a b', 'write', true, false],
  ['rm -rf a', 'write', true, false],
  ['npm test', 'build', false, false],
  ['python x.py', 'write', false, true],
  ['python3.12 x.py', 'write', false, true],
  ['python -m pytest', 'build', false, false],
  ['make deploy', 'write', false, true],
  ['git status', 'read', false, false],
  ['git add x', 'read', false, false],
  ['git mv a b', 'write', true, true],
  ['git -C x clean -fd', 'write', false, false],
  ['git checkout x', 'write', false, true],
  ['git branch x', 'write', false, false],
  ['never-heard-of x', 'write', false, false],
] as const)('%j', async (line, access, moves, anywhere) => {
  const [part] = (await analyze(line)).parts
  if (!part) throw new Error(line)
  expect(effectsOf(part, classify(part)?.class)).toMatchObject({ access, moves, anywhere })
})
