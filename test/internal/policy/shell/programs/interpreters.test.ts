// Code in words and on standard input.
import { expect, test } from 'vitest'
import { codeIn, interpreterOf } from '../../../../../internal/policy/shell/programs/interpreters.ts'
import type { ProgramEntry } from '../../../../../internal/policy/shell/programs/program-table.ts'

const code = (line: string) => {
  const words = line.split(' ')
  return codeIn(words, interpreterOf(words[0] as string) as ProgramEntry)
}

test.each([
  ...[
    'python -c x',
    'python3 -Ic x',
    'python3.12 -c x',
    'python3 -W ignore -c x',
    'python',
    'python -',
    'python -i x.py',
  ],
  ...[
    'node -e x',
    'node -p x',
    'node -pe x',
    'node --eval=x',
    'node --ev=x',
    'node --import ./x y.js',
    'node -r x y.js',
    'node',
  ],
  ...[
    'perl -e x',
    'perl -ne x',
    'perl',
    'ruby -e x',
    'php -r x',
    'php8.2 -r x',
    'lua5.4 -e x',
    'bun -e x',
    'tsx -e x',
    'bc',
  ],
])('%s runs code', (line) => expect(code(line)).toSatisfy((found) => found !== undefined && found !== null))

test.each([
  ...[
    'python x.py -c',
    'python -m pytest -c x',
    'python -Wd x.py',
    'python --version',
    'node x.js -e',
    'node --test',
    'node -v',
  ],
  ...[
    'node --test --watch',
    'perl x.pl -e',
    'ruby x.rb',
    'bun test',
    'deno test',
    'php --version',
    'node -- x',
  ],
])('%s runs a file or nothing', (line) => expect(code(line)).toBeUndefined())

test('recognizes interpreters by name and version', () => {
  expect(interpreterOf('python3.12')).toBe(interpreterOf('python'))
  expect(interpreterOf('pythonic')).toBeUndefined()
  expect(interpreterOf('constructor')).toBeUndefined()
})
