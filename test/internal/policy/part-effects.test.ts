// Effects that are known of programs.
import { expect, test } from 'vitest'
import { partEffects } from '../../../internal/policy/part-effects.ts'
import { classifyPart } from '../../../internal/policy/shell/command-classes.ts'
import { analyzeLine } from '../../../internal/policy/shell/line-analysis.ts'

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
  const [part] = (await analyzeLine(line)).parts
  if (!part) throw new Error(line)
  expect(partEffects(part, classifyPart(part)?.class)).toMatchObject({ access, moves, anywhere })
})
