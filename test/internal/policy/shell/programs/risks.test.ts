// Options that run or write.
import { expect, test } from 'vitest'
import { judgeRisk } from '../../../../../internal/policy/shell/programs/risks.ts'

test.each([
  ['tar --to-command=x', true],
  ['tar --to-com x', true],
  ['tar tf host:a', true],
  ['tar cIf x', true],
  ['tee a', false],
  ['curl -o a b', false],
  ['vim a', true],
  ['. a', true],
  ['declare a', false],
  ['go test -exec=x', true],
  ['make A=b', true],
] as const)('%s: unseen %s', (line, unseen) => expect(judgeRisk(line.split(' '))?.unseen).toBe(unseen))

test.each(['tar tf a', 'tee', 'curl a', 'vim --version', 'go test ./...', 'make test', 'ls', 'toString'])(
  '%s is not a risk',
  (line) => expect(judgeRisk(line.split(' '))).toBeUndefined(),
)
